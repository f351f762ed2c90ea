import type { Agent, JudgedWork } from '../../agents/agent.ts'
import { finalFiles, type Judged } from '../../graders/grader.ts'
import {
  isSwapped,
  judgedWork,
  judgeQuestion,
  judgeValue,
  meanOf,
  scoresOf,
  type Verdict,
  verdictShape,
} from '../../graders/rubric.ts'
import type { GraderSpec } from '../../schema/grader-spec.ts'
import type { JudgeScore } from '../../schema/ledger/outcome.ts'
import type { Files } from '../../schema/task.ts'
import { AgentError } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import { removeHomes } from '../ask/agent-request.ts'
import { ask } from '../ask/ask.ts'
import { beginTrial, eitherSignal } from '../branch/begin-trial.ts'
import { branchName } from '../branch/branch.ts'
import { brokenBy, Interrupted, stopTrial } from '../branch/recorded-steps.ts'
import type { Branch, TrialState } from '../branch/trial-state.ts'
import { addDifference, emptyBill } from '../budget/spending.ts'

type RubricSpec = Extract<GraderSpec, { kind: 'rubric' }>

/** What is to be judged; `of` is the key of a candidate. */
interface Delivered {
  files: Files
  answer: string | undefined
  of?: string | undefined
}

/**
 * Asks the judges of the run about a delivery, for each rubric of the task: judges beside each other, the votes of one judge one after
 * the other. Each ask is journaled under a key of its own, so resume and replay ask nobody twice. A judge whose ask fails is missing.
 * Throws `Interrupted`, and what is no judge's fault.
 */
export async function askJudges(trialState: TrialState, delivered: Delivered): Promise<Judged> {
  const { task } = trialState.plan
  const judged = new Map<string, { judges: JudgeScore[]; reason: string }>()
  const files = finalFiles(task, delivered.files)
  for (const spec of task.spec.graders) {
    const work = spec.kind === 'rubric' ? judgedWork(task, { files, answer: delivered.answer }) : undefined
    if (spec.kind !== 'rubric' || work === undefined) continue
    judged.set(spec.name, await askPanel(trialState, spec, work, delivered.of))
  }
  return judged
}

async function askPanel(trialState: TrialState, spec: RubricSpec, work: string, of: string | undefined) {
  const asked = trialState.run.judges.map((agent, place) =>
    askJudge(trialState, agent, spec, { work, path: judgePath(spec.name, place, of) }),
  )
  const ends = await Promise.allSettled(asked)
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
  const opinions = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
  trialState.bill.judging ??= emptyBill()
  for (const { bill } of opinions) addDifference(trialState.bill.judging, bill, emptyBill())
  return { judges: opinions.map(({ score }) => score), reason: reasonOf(spec, opinions) }
}

type Opinion = Awaited<ReturnType<typeof askJudge>>

async function askJudge(
  trialState: TrialState,
  agent: Agent,
  spec: RubricSpec,
  { work, path }: { work: string; path: string },
) {
  const { run } = trialState
  const { task } = trialState.plan
  const questions = Array.from({ length: spec.votes }, (_, vote) => judgeQuestion(spec, task, work, vote))
  const isSecret = questions.some(({ showsReference }) => showsReference)
  const judgedWork = { text: work, place: 'A' as 'A' | 'B' }
  const branch = judgeBranch(trialState, agent, path, { work: judgedWork, isSecret })
  const own = branch.trialState
  const votes: Record<string, number[]> = Object.fromEntries(spec.criteria.map(({ name }) => [name, []]))
  const reasons: Record<string, string> = {}
  let missing: string | undefined
  run.running.push(own)
  try {
    for (const [vote, { prompt, show }] of questions.entries()) {
      judgedWork.place = isSwapped(vote) ? 'B' : 'A'
      const shape = verdictShape(spec, vote)
      const verdict = (await ask(branch, judgeRole, prompt, { show, shape })) as Verdict
      for (const [name, score] of Object.entries(scoresOf(spec, verdict, vote))) votes[name]?.push(score)
      for (const [name, { reason }] of Object.entries(verdict)) reasons[name] ??= reason
    }
  } catch (error) {
    if (own.phase === 'stopped') stopTrial(trialState)
    if (run.signal.aborted) throw new Interrupted()
    const broken = brokenBy(own)
    if (broken) throw broken
    if (!(error instanceof AgentError)) throw error
    missing = shorten(error.message)
  } finally {
    run.running.splice(run.running.indexOf(own), 1)
    trialState.bill.paid ||= own.bill.paid
    await removeHomes(own.homes)
  }
  const { name: judge } = agent
  const score: JudgeScore =
    missing === undefined
      ? { judge, value: judgeValue(spec, votes), criteria: votes }
      : { judge, value: null, missing }
  return { score, bill: branch.bill, reasons: missing === undefined ? reasons : {} }
}

/** Says the mean of each criterion, the reason of the first judge for the lowest one, and who is missing. */
function reasonOf({ criteria }: RubricSpec, opinions: readonly Opinion[]): string {
  const known = opinions.filter(({ score }) => score.value !== null)
  const means = criteria.map(({ name }) => ({
    name,
    mean: meanOf(known.map(({ score }) => meanOf(score.criteria?.[name] ?? []))),
  }))
  const lowest = means.reduce((low, one) => (one.mean < low.mean ? one : low))
  const why = known.map(({ reasons }) => reasons[lowest.name]).find((text) => text?.trim())
  const missing = opinions.flatMap(({ score }) => (score.missing === undefined ? [] : [score.judge]))
  return [
    means.map(({ name, mean }) => `${name} ${Math.round(mean * 100) / 100}`).join(', '),
    ...(missing.length > 0 ? [`no verdict of ${missing.join(', ')}`] : []),
    ...(why !== undefined && lowest.mean < 1 ? [`${lowest.name}: ${why.trim()}`] : []),
  ].join('; ')
}

/** No branch of a method has such a name: it holds a `!`. */
const prefix = 'grade!'

/** Returns the path of a judge's asks about one grader. `of` is the key of the candidate; `place` counts judges from 0. */
const judgePath = (grader: string, place: number, of: string | undefined): string =>
  `${prefix}${branchName(grader)}/${place + 1}${of === undefined ? '' : ` of ${of}`}`

/** Whether a step is an ask of a judge. */
export const isJudgeKey = (key: string): boolean => key.startsWith(prefix)

const judgeRole = 'judge'

/**
 * Returns the branch in which a judge is asked about the work of a trial. The judge shares the trial's journal and nothing else: neither
 * limits, tools, conversations and files of the method, nor its name. What it costs is on no method's bill.
 */
function judgeBranch(
  trialState: TrialState,
  agent: Agent,
  path: string,
  { work, isSecret }: { work: JudgedWork; isSecret: boolean },
): Branch {
  const { run } = trialState
  const { trial, strategy } = trialState.plan
  const callAbort = new AbortController()
  const signal = eitherSignal(run.signal, callAbort.signal)
  const { tools: _, match: __, ...method } = trial.cell.method
  const { root } = beginTrial(signal, {
    ...{ run, callAbort, people: trialState.people },
    plan: {
      ...trialState.plan,
      trial: {
        ...trial,
        cell: { ...trial.cell, method: { ...method, label: '' }, limits: {}, askLimits: undefined },
      },
      // A judge is not told whose work it reads.
      strategy: { ...strategy, name: '' },
      roles: { [judgeRole]: 'judge' as const },
      agents: { [judgeRole]: agent },
      judgedWork: work,
    },
    journal: {
      ...trialState.journal,
      secret: trialState.journal.secret || isSecret,
      asked: [],
      toolSteps: [],
      savedOutputs: new Map(),
    },
    bill: { ...trialState.bill, reportedAlerts: new Set() },
  })
  return Object.assign(root, { path, clock: trialState.root.clock })
}
