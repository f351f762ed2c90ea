import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import type { AskPerson } from '../../loop/record/people.ts'
import type { ApprovalAnswer, ApprovalPolicy } from '../../schema/ledger/approval.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { readDocumentFile } from '../methods/documents.ts'
import { parseAnswerLine } from './questions.ts'

const words = ['ask', 'yes', 'abort', 'park'] as const

/** Parses `--approve`; undefined if it was not given or is wrong. Reads a file of answers. Adds every mistake to `problems`. */
export function parseApprovalPolicy(
  problems: Problem[],
  text: string | undefined,
  askPerson: AskPerson | undefined,
): ApprovalPolicy | undefined {
  if (text === undefined) return undefined
  const where = `--approve ${text}`
  if (text.startsWith('file:')) return parseFile(problems, where, text.slice('file:'.length))
  const policy = words.find((word) => word === text)
  if (policy === undefined) {
    const fix = withNear(text, words, `Use one of: ${words.join(', ')}, file:PATH.`)
    problems.push({ where, what: 'is not a policy for approvals', fix })
    return undefined
  }
  if (policy === 'ask' && !askPerson) {
    const fix = 'Use --approve park, and answer later with bench approve.'
    problems.push({ where, what: 'needs a terminal for stdin and stderr', fix })
  }
  return { policy }
}

/** Returns the policy of a new run that names none: a person at the terminal is asked. */
export function defaultPolicy(askPerson: AskPerson | undefined): ApprovalPolicy {
  return { policy: askPerson && !process.env.CI ? 'ask' : 'yes' }
}

/** Returns the policy with which a run goes on, as in its last session. Nobody answers for a person who was asked. */
export function resumedPolicy(
  last: ApprovalPolicy,
  askPerson: AskPerson | undefined,
  onWarning: (message: string) => void,
): ApprovalPolicy {
  if (last.policy !== 'ask' || askPerson) return last
  onWarning(
    'this run asked for approvals at a terminal, and this session has no terminal: trials that ask wait for bench approve',
  )
  return { policy: 'park' }
}

function parseFile(problems: Problem[], where: string, file: string): ApprovalPolicy | undefined {
  const text = readAnswers(problems, where, file)
  if (text === undefined) return undefined
  const answers: ApprovalAnswer[] = []
  const wrong: Problem[] = []
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue
    const answer = parseAnswerLine(line)
    if (typeof answer !== 'string') answers.push(answer)
    else wrong.push({ where, what: `line ${i + 1}: ${answer}`, fix: lineFix })
    // What is no file of answers may have any number of wrong lines.
    if (wrong.length === mostProblems) break
  }
  if (answers.length === 0 && wrong.length === 0) wrong.push({ where, what: 'holds no answer', fix: lineFix })
  problems.push(...wrong)
  return wrong.length > 0 ? undefined : { policy: 'file', file, answers }
}

const mostProblems = 5

const lineFix =
  'Write on each line yes, abort, or `feedback:` and what should change; a comment begins with #.'

function readAnswers(problems: Problem[], where: string, file: string): string | undefined {
  try {
    return readDocumentFile(file)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    for (const { what } of error.problems)
      problems.push({ where, what, fix: 'Name a text file with one answer a line.' })
    return undefined
  }
}

/** Returns the labels of the methods that can ask a person: their machine has an approval, or their own code calls `approve`. */
export function askingMethods(
  { methods }: Pick<RunManifest, 'methods'>,
  strategies: readonly KnownStrategy[],
): string[] {
  const callers = new Set(
    strategies
      .filter(({ strategy }) => /\bapprove\b/.test(String(strategy.run)))
      .map(({ strategy }) => strategy.name),
  )
  return methods
    .filter(({ strategy, options }) => hasApproval(options) || callers.has(strategy))
    .map(({ label }) => label)
}

function hasApproval({ machine }: Readonly<Record<string, unknown>>): boolean {
  const { states } = (machine ?? {}) as { states?: Readonly<Record<string, { type?: unknown } | undefined>> }
  return Object.values(states ?? {}).some((state) => state?.type === 'human-approval')
}
