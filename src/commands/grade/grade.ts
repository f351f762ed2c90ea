import { cleanText } from '../../replies/clean-text.ts'
import { UserError } from '../../text/errors.ts'
import type { GradeOptions } from './grade-options.ts'
import { argumentProblems } from './grade-options.ts'
import { type Reading, readingText } from './reading.ts'
import { readText } from './text-source.ts'

/**
 * `bench grade TEXT`: shows how a reply is read, and why. Returns the exit code: 0 if the reply is right or, where nothing is compared, if
 * something was read; else 1. Throws `UserError` if the arguments are wrong or a file cannot be read.
 */
export default async function gradeText(text: string | undefined, options: GradeOptions): Promise<number> {
  const problems = argumentProblems(text, options)
  if (problems.length > 0) throw new UserError(problems)
  const reply = cleanText(await readText(text, options.file))
  const reading = await readBy(reply, options)
  process.stdout.write(options.json ? `${JSON.stringify(reading, null, 2)}\n` : readingText(reading))
  return reading.passed ? 0 : 1
}

// Loads only what the way of reading needs, since a command should start quickly.
async function readBy(reply: string, options: GradeOptions): Promise<Reading> {
  if (options.schema !== undefined) return (await import('./reading.ts')).readAsData(reply, options)
  if (options.grader === 'tests') return (await import('./reading.ts')).readAsWork(reply, options)
  return (await import('./reading.ts')).readAsAnswer(reply, options)
}
