import type { z } from 'zod'
import type { AskOptions, KindOfWork } from '../ask.ts'
import { seededRandom } from '../base/random.ts'
import { sharedOutputs } from '../loop/effects/outputs.ts'
import type { Approval, CheckResult, StrategyContext, TraceEvent } from '../strategy.ts'
import { answerForm } from '../workflows/vote.ts'
import { type PlayedBranch, type PlayedEffects, playEffects } from './play-effects.ts'
import { hasChanged, playWorkspace } from './play-files.ts'
import { endStage, type PlayedStage, type StageScene } from './play-stage.ts'
import type { PlayedCall } from './play-tools.ts'
import type { PlayedScript, ScriptAnswer } from './script.ts'

/** One ask as the context got it. */
export interface PlayedAsk {
  branch: string
  role: string
  prompt: string
  options: AskOptions
  show: Readonly<Record<string, string | undefined>>
  /** The tools that the agent called; absent if it called none. */
  calls?: readonly PlayedCall[]
}

/** A trial that is being played; all its branches share it. */
export interface PlayedTrial<Options> {
  instruction: string
  properties: StrategyContext<string, Options>['properties']
  options: Options
  programs: Readonly<Record<string, string>>
  seed: string
  output: 'answer' | 'files'
  roles: Readonly<Record<string, KindOfWork>>
  script: PlayedScript
  /** Checks and approvals that are still to come; without checks the task has none. */
  checks: CheckResult[] | undefined
  approvals: Approval[]
  stageScenes: StageScene[]
  stages: PlayedStage[]
  asks: PlayedAsk[]
  spent: { branch: string; of: ScriptAnswer['spent'] }[]
  notes: TraceEvent[]
}

/** Returns the context of a branch. */
export function playContext<Role extends string, Options>(
  trial: PlayedTrial<Options>,
  branch: PlayedBranch,
): StrategyContext<Role, Options> {
  const effects = playEffects(branch)
  const { effect, openBranch, requireIdle } = effects
  const context: StrategyContext<Role, Options> = {
    instruction: trial.instruction,
    properties: trial.properties,
    options: trial.options,
    programs: trial.programs,
    ask: playAsk(trial, branch, effect) as StrategyContext<Role, Options>['ask'],
    workspace: playWorkspace(branch.files, () => effect('check', () => nextCheck(trial))),
    branch: async (name, work) => (await openBranch(name, (inner) => work(playContext(trial, inner)))).value,
    // A graph needs the loop's clocks and joins.
    graph: () => Promise.reject(new Error('play() runs no graph; run the strategy with bench run instead')),
    stage: async (id, program) => {
      if ('directs' in program)
        throw new Error('play() runs no agent that directs others; run the strategy with bench run instead')
      trial.stages.push({ branch: branch.path, id, program })
      const { value } = await openBranch(id, async ({ files }) => ({
        ...endStage(trial.stageScenes, files, id, program),
        workspace: playWorkspace(files, () => effect('check', () => nextCheck(trial))),
      }))
      return value
    },
    checkpoint: async (state) => state,
    first: (branches) => playFirst(trial, effects, branches),
    approve: () =>
      effect('approve', () => trial.approvals.shift() ?? { decision: 'approved' as const, feedback: '' }),
    label: (label) => void trial.notes.push({ type: 'iteration', ...label }),
    candidate: (answer) => void trial.notes.push({ type: 'candidate', answer }),
    note: (event) => void trial.notes.push(event),
    delivers: (answer) =>
      trial.output === 'answer' ? (answer ?? '').trim() !== '' : hasChanged(branch.files),
    sameAnswer: (one, other) => answerForm(one) === answerForm(other),
    outputs: sharedOutputs(
      branch.sharing,
      () => {
        requireIdle('outputs.write()')
        return true
      },
      (text) => text,
    ),
    now: () => branch.clock.now,
    spent: () => spentIn(trial, branch.path),
    random: (label) => seededRandom(`${trial.seed}/${branch.path}/${label}`)(),
  }
  return context
}

function playAsk<Options>(
  trial: PlayedTrial<Options>,
  { path, files, clock }: PlayedBranch,
  effect: PlayedEffects['effect'],
) {
  return (role: string, prompt: string, { shape, ...options }: AskOptions & { shape?: z.ZodType } = {}) =>
    effect(`ask ${role}`, () => {
      const { roles, asks, script } = trial
      const work = options.work ?? (Object.hasOwn(roles, role) ? roles[role] : undefined)
      if (work === undefined)
        throw new Error(
          `the strategy asks role "${role}", which it does not declare in roles; there are ${Object.keys(roles).join(', ')}`,
        )
      const asked: PlayedAsk = { branch: path, role, prompt, options, show: options.show ?? {} }
      asks.push(asked)
      const number = asks.length
      const answer = script.answer({ number, branch: path, role, work, prompt, options, shape })
      if (answer.calls && answer.calls.length > 0) asked.calls = answer.calls
      clock.now += answer.ms
      trial.spent.push({ branch: path, of: answer.spent })
      files.apply(Object.entries(answer.edits).map(([path, content]) => ({ path, content })))
      return answer.result()
    })
}

function nextCheck({ checks }: PlayedTrial<unknown>): CheckResult {
  if (!checks) return { status: 'none', passed: 0, total: 0, output: '' }
  const next = checks.shift()
  if (!next) throw new Error('the strategy runs one check more than the scene has')
  return next
}

/** Runs branches side by side. Returns the result of the one that succeeds on the smallest clock, and keeps its outputs. */
async function playFirst<Role extends string, Options, T>(
  trial: PlayedTrial<Options>,
  { openBranch }: PlayedEffects,
  branches: Readonly<Record<string, (inner: StrategyContext<Role, Options>) => Promise<T>>>,
): Promise<{ name: string; value: T }> {
  const runs = await Promise.allSettled(
    Object.entries(branches).map(async ([name, work]) => {
      const race = async (own: PlayedBranch) => ({ value: await work(playContext(trial, own)), own })
      const { value, join } = await openBranch(name, race, true)
      return { name, join, value: value.value, at: value.own.clock.now }
    }),
  )
  const ended = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []))
  const [winner] = ended.sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
  if (!winner) throw (runs[0] as PromiseRejectedResult).reason
  winner.join()
  return { name: winner.name, value: winner.value }
}

/** Sums what the asks of a branch, and of those opened in it, have spent. */
function spentIn({ spent }: PlayedTrial<unknown>, path: string) {
  const own = spent.filter(({ branch }) => path === '' || branch === path || branch.startsWith(`${path}/`))
  const parts = ['input', 'output', 'costUsd'] as const
  const each = <Value>(of: (values: readonly (number | null)[]) => Value) =>
    Object.fromEntries(parts.map((part) => [part, of(own.map((one) => one.of[part]))])) as Record<
      (typeof parts)[number],
      Value
    >
  const sum = (values: readonly (number | null)[]) => values.reduce<number>((all, one) => all + (one ?? 0), 0)
  return {
    calls: own.length,
    ...each((values) => (values.includes(null) ? null : sum(values))),
    reported: each(sum),
    unreported: each((values) => values.filter((one) => one === null).length),
  }
}
