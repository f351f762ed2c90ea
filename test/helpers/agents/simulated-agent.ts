import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { z } from 'zod'
import type { Agent, AgentReply, PastAsk } from '../../../src/agents/agent.ts'
import type { SubmissionRunner } from '../../../src/agents/mutants/mutant-pool.ts'
import { loadProfile } from '../../../src/agents/simulated/load-profile.ts'
import { createSimulated } from '../../../src/agents/simulated/simulated.ts'
import { Profile } from '../../../src/schema/agent/profile.ts'
import type { Task } from '../../../src/schema/task.ts'
import { trySum } from '../graders/try-sum.ts'
import { tableOf } from '../house/tables.ts'
import { agentRequest, answerTask, codeTask, type Wanted } from './agent-request.ts'

const quiet: Partial<Profile> = tableOf(import.meta.url, 'quiet')
export const profileOf = (changes: Partial<Profile> = {}) =>
  Profile.parse({ ...loadProfile('default'), ...quiet, ...changes })

export const tasks = [
  answerTask(),
  codeTask(),
  codeTask({ ref: 'test/unchecked', checks: {} }),
  answerTask({ ref: 'test/open', answer: undefined }),
]
export const [answer, code, unchecked, open] = tasks as [Task, Task, Task, Task]
const tryAnswer: SubmissionRunner = async (_, submission) => ({
  visible: { status: 'none', passed: 0, total: 0, output: '' },
  passed: 'answer' in submission && submission.answer === 'Answer: 42',
  quality: 0,
  ms: 0,
})
export const trySubmission: SubmissionRunner = (task, submission) =>
  'files' in submission ? trySum(task, submission) : tryAnswer(task, submission)
// Pools are kept, so that mutants are run once for a file of tests and not once per agent.
const cache = mkdtempSync(join(tmpdir(), 'simulated-'))
afterAll(() => rmSync(cache, { recursive: true, force: true }))
export const simulated = (changes?: Partial<Profile>, extra: readonly Task[] = []) =>
  createSimulated({ profile: profileOf(changes), tasks: [...tasks, ...extra], trySubmission, cache })
export const ask = async (agent: Agent, wanted: Wanted, task = answer): Promise<AgentReply> =>
  agent.ask(
    agentRequest({ files: task.files, ...wanted, trial: { task: task.ref, ...wanted.trial } }),
    new AbortController().signal,
  )

export const draws = 3_000
/** Share of draws for which the test holds, over trials of different epochs. */
export async function share(
  agent: Agent,
  holds: (reply: AgentReply) => boolean,
  wanted: Wanted = {},
  task = answer,
  count = draws,
) {
  let held = 0
  for (let epoch = 1; epoch <= count; epoch++) {
    if (holds(await ask(agent, { ...wanted, trial: { ...wanted.trial, epoch } }, task))) held++
  }
  return held / count
}
export const isRight = ({ text }: AgentReply) => text.endsWith('\nAnswer: 42')
/** Four standard errors of a share of `draws`. */
export const near = (p: number, count = draws) => 4 * Math.sqrt((p * (1 - p)) / count)
export const logistic = (logits: number) => 1 / (1 + Math.exp(-logits))
export async function expectShare(
  p: number,
  agent: Agent,
  holds: (reply: AgentReply) => boolean,
  wanted?: Wanted,
  task?: Task,
) {
  const found = await share(agent, holds, wanted, task)
  expect(Math.abs(found - p), `${found} instead of ${p}`).toBeLessThan(near(p) + 1e-9)
}
export const judgement: Wanted = { role: 'auditor', work: 'judge' }
export const made: PastAsk[] = [{ role: 'code-generator', work: 'produce' }]
export const shapeOf = (shape: z.ZodType) => z.toJSONSchema(shape, { io: 'input' }) as Record<string, unknown>
export const Audit = z.object({
  compliance: z.number().min(0).max(1),
  violations: z.array(z.object({ id: z.string(), text: z.string() })),
})
