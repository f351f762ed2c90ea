import type { AskPerson } from '../../loop/state/approvals.ts'
import type { ApprovalAnswer, ApprovalPolicy } from '../../schema/ledger/approval.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { readDocumentFile } from '../methods/document-file.ts'
import { answerFix, answerProblem, parseAnswer } from './parse-answer.ts'

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
    const fix = `Use one of: ${words.join(', ')}, file:PATH.`
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
  let isClear = true
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === '' || line.trimStart().startsWith('#')) return
    const answer = parseAnswer(line)
    if (answer) answers.push(answer)
    else problems.push({ where, what: `line ${i + 1}: ${answerProblem(line)}`, fix: answerFix })
    isClear &&= answer !== undefined
  })
  if (!isClear) return undefined
  if (answers.length > 0) return { policy: 'file', file, answers }
  const fix = 'Write an answer on each line: yes, abort, or what should change.'
  problems.push({ where, what: 'holds no answer', fix })
  return undefined
}

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
