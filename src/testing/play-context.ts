import type { z } from 'zod'
import { seededRandom } from '../base/random.ts'
import type {
  Approval,
  AskOptions,
  CheckResult,
  KindOfWork,
  StrategyContext,
  TraceEvent,
} from '../strategy.ts'
import { forkFiles, hasChanged, type PlayedFiles, playWorkspace } from './play-files.ts'
import type { PlayedScript, ScriptAnswer } from './script.ts'

/** One ask as the context got it. */
export interface PlayedAsk {
  branch: string
  role: string
  prompt: string
  options: AskOptions
  show: Readonly<Record<string, string | undefined>>
}

/** A trial that is being played; all its branches share it. */
export interface PlayedTrial<Options> {
  instruction: string
  options: Options
  seed: string
  output: 'answer' | 'files'
  roles: Readonly<Record<string, KindOfWork>>
  script: PlayedScript
  /** Checks and approvals that are still to come; without checks the task has none. */
  checks: CheckResult[] | undefined
  approvals: Approval[]
  asks: PlayedAsk[]
  spent: { branch: string; of: ScriptAnswer['spent'] }[]
  notes: TraceEvent[]
  outputs: Map<string, string>
}

/** A branch: its path, files and clock. */
export interface PlayedBranch {
  path: string
  files: PlayedFiles
  clock: { now: number }
}

type Effect = <T>(name: string, work: () => T) => Promise<T>

/** Returns the context of a branch. */
export function playContext<Role extends string, Options>(
  trial: PlayedTrial<Options>,
  branch: PlayedBranch,
): StrategyContext<Role, Options> {
  const { effect, openBranch } = playEffects(branch)
  const context: StrategyContext<Role, Options> = {
    instruction: trial.instruction,
    options: trial.options,
    ask: playAsk(trial, branch, effect) as StrategyContext<Role, Options>['ask'],
    workspace: playWorkspace(branch.files, () => effect('check', () => nextCheck(trial))),
    branch: (name, work) => openBranch(name, (inner) => work(playContext(trial, inner))),
    // A graph needs the loop's clocks and joins.
    graph: () => Promise.reject(new Error('play() runs no graph; run the strategy with bench run instead')),
    checkpoint: async (state) => state,
    first: (branches) => playFirst(context, branches),
    approve: () =>
      effect('approve', () => trial.approvals.shift() ?? { decision: 'approved' as const, feedback: '' }),
    label: (label) => void trial.notes.push({ type: 'iteration', ...label }),
    candidate: (answer) => void trial.notes.push({ type: 'candidate', answer }),
    note: (event) => void trial.notes.push(event),
    delivers: (answer) =>
      trial.output === 'answer' ? (answer ?? '').trim() !== '' : hasChanged(branch.files),
    outputs: {
      write: (path, text) => void trial.outputs.set(path, text),
      read: (path) => trial.outputs.get(path),
      list: () => [...trial.outputs.keys()].sort(),
    },
    now: () => branch.clock.now,
    spent: () => spentIn(trial, branch.path),
    random: (label) => seededRandom(`${trial.seed}/${branch.path}/${label}`)(),
  }
  return context
}

/** Runs the effects of a branch one at a time, and its branches side by side. */
function playEffects({ path, files, clock }: PlayedBranch) {
  let pending = ''
  const open = new Set<Promise<unknown>>()
  const effect: Effect = async (name, work) => {
    if (pending || open.size > 0)
      throw new Error(`${name} while ${pending || 'a branch'} is pending: use branch()`)
    pending = name
    // A strategy that forgets an await must fail.
    await Promise.resolve()
    pending = ''
    return work()
  }
  async function openBranch<T>(name: string, work: (branch: PlayedBranch) => Promise<T>): Promise<T> {
    if (pending) throw new Error(`branch ${name} while ${pending} is pending`)
    const own = { now: clock.now }
    const promise = work({
      path: path === '' ? name : `${path}/${name}`,
      files: forkFiles(files),
      clock: own,
    })
    open.add(promise)
    let seen: number
    do {
      seen = open.size
      await Promise.allSettled(open)
    } while (open.size > seen)
    open.delete(promise)
    clock.now = Math.max(clock.now, own.now)
    return promise
  }
  return { effect, openBranch }
}

function playAsk<Options>(trial: PlayedTrial<Options>, { path, files, clock }: PlayedBranch, effect: Effect) {
  return (role: string, prompt: string, { shape, ...options }: AskOptions & { shape?: z.ZodType } = {}) =>
    effect(`ask ${role}`, () => {
      const { roles, asks, script } = trial
      const work = options.work ?? (Object.hasOwn(roles, role) ? roles[role] : undefined)
      if (work === undefined)
        throw new Error(
          `the strategy asks role "${role}", which it does not declare in roles; there are ${Object.keys(roles).join(', ')}`,
        )
      asks.push({ branch: path, role, prompt, options, show: options.show ?? {} })
      const number = asks.length
      const answer = script.answer({ number, branch: path, role, work, prompt, options, shape })
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

/** Runs branches side by side, and returns the result of the one that succeeds on the smallest clock. */
async function playFirst<Role extends string, Options, T>(
  context: StrategyContext<Role, Options>,
  branches: Readonly<Record<string, (inner: StrategyContext<Role, Options>) => Promise<T>>>,
): Promise<{ name: string; value: T }> {
  const runs = await Promise.allSettled(
    Object.entries(branches).map(([name, work]) =>
      context.branch(name, async (inner) => ({ name, value: await work(inner), now: inner.now() })),
    ),
  )
  const ended = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []))
  const winner = ended.sort((a, b) => a.now - b.now || (a.name < b.name ? -1 : 1))[0]
  if (!winner) throw (runs[0] as PromiseRejectedResult).reason
  return { name: winner.name, value: winner.value }
}

/** Sums what the asks of a branch, and of those opened in it, have spent. */
function spentIn({ spent }: PlayedTrial<unknown>, path: string) {
  const own = spent.filter(({ branch }) => path === '' || branch === path || branch.startsWith(`${path}/`))
  const total = (field: keyof ScriptAnswer['spent']) =>
    own.map(({ of }) => of[field]).reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0)
  return { calls: own.length, input: total('input'), output: total('output'), costUsd: total('costUsd') }
}
