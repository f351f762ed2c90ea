import { cleanText } from '../../replies/clean-text.ts'
import { UserError } from '../../text/errors.ts'
import { argumentProblems, type GradeOptions, readText } from './grade-options.ts'
import { type Reading, readAsAnswer, readAsData, readAsWork, readingText } from './reading.ts'

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

function readBy(reply: string, options: GradeOptions): Reading | Promise<Reading> {
  if (options.schema !== undefined) return readAsData(reply, options)
  return options.grader === 'tests' ? readAsWork(reply, options) : readAsAnswer(reply, options)
}
