import type { Profile } from '../../schema/agent/profile.ts'
import { wantsText } from '../../schema/task.ts'
import { textOfSize } from '../../text/token-estimate.ts'
import type { AgentRequest } from '../agent.ts'
import type { Submission } from '../reference.ts'
import { type Chance, countOf, rightProbability, scriptedTotal } from './behaviour.ts'
import type { OutputSize } from './simulated-usage.ts'
import { assessWork, formatSubmission, pickWrong, type Submissions } from './submissions.ts'

/** One request with everything that decides its reply. */
export interface Call {
  profile: Profile
  request: AgentRequest
  submissions: Submissions
  chance: Chance
  input: number
  size: OutputSize
}

/** What kind of text the marker of a reply stands for. */
export const substance = {
  produce: 'thoughts',
  judge: 'review',
  summarise: 'summary',
  decide: 'plan',
} as const

const openings = [
  'I read the task and worked through it step by step.\n',
  'Here is my work; I went through the cases that the task names.\n',
  'This is what I arrived at.\n',
  'I took the simplest way that the task allows.\n',
]

/** Returns a reply with the work of a producing role. */
export function writeWork(call: Call): string {
  const { submissions, chance, size } = call
  const handedIn = handIn(call)
  // Every word of such a reply is handed in.
  if (wantsText(submissions.task.spec)) return handedIn
  const opening = openings[Math.floor(chance.random() * openings.length)] as string
  return textOfSize(opening, `\n\n${handedIn}`, size.visible, substance.produce)
}

function handIn(call: Call): string {
  const { request, submissions } = call
  const written = hasWritten(request)
  const { isRight, submission } = decideWork(call)
  // What is wrong and stands in the files is not replaced by another mistake.
  if (written && !isRight) return 'The files are written.\n'
  return formatSubmission(submission, submissions.task, request.workspace)
}

/** Whether the ask has written files by a tool. */
export const hasWritten = ({ tools }: AgentRequest): boolean =>
  tools?.turns.some(({ results }) => results.some(({ name, isError }) => name === 'write' && !isError)) ??
  false

/** Decides whether the work is right, and chooses it. */
export function decideWork(call: Call): { isRight: boolean; submission: Submission | undefined } {
  const { profile, submissions, chance } = call
  const isRight = workIsRight(call)
  const submission = isRight ? submissions.right : pickWrong(submissions, profile.visiblePass, chance.random)
  return { isRight, submission }
}

function workIsRight({ profile, request, submissions, chance, input }: Call): boolean {
  const { script } = profile
  const before = countOf(request.history, 'produce')
  if (script) return before + 1 >= scriptedTotal(script, request.trial.epoch)
  const isRightNow = before > 0 && assessWork(submissions, request) === 'right'
  if (isRightNow) return !chance.decide(profile.regression)
  const { difficulty } = submissions.task.spec.properties
  return chance.decide(rightProbability(profile, request, difficulty, input))
}
