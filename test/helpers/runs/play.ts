import { expect } from 'vitest'
import type { z } from 'zod'
import type { AskOptions } from '../../../src/ask.ts'
import { seededRandom } from '../../../src/base/random.ts'
import { sharedOutputs } from '../../../src/loop/effects/outputs.ts'
import { nothingShared, outputsIn } from '../../../src/loop/files/shared.ts'
import { rolesOf } from '../../../src/loop/plan/row-agents.ts'
import { joinShared, type Sharing } from '../../../src/loop/state/join-shared.ts'
import type {
  Approval,
  CheckResult,
  Strategy,
  StrategyContext,
  StrategyResult,
  TraceEvent,
} from '../../../src/strategy.ts'
import { forkState, hasChanged, type State, startState, workspaceOf } from './play-files.ts'

/** Who is expected to be asked (in a branch: `branch: role`), what it replies, and which files a producing role edits. */
export type Line<Role extends string> = [
  who: Role | `${string}: ${Role}`,
  reply: unknown,
  edits?: Record<string, string | null>,
]

export interface Scene {
  instruction?: string
  files?: Readonly<Record<string, string>>
  /** What `check()` answers in turn; without it: `none`. A word stands for a whole result. */
  checks?: readonly (CheckResult | 'passed' | 'failed')[]
  approvals?: readonly Approval[]
  seed?: string
  /** What the task wants; an answer by default. */
  output?: 'answer' | 'files'
}

/** One ask as the context got it. */
export interface PlayedAsk {
  branch: string
  role: string
  prompt: string
  options: AskOptions
  show: Readonly<Record<string, string | undefined>>
}

export interface Played {
  result: StrategyResult
  answer: string | undefined
  asks: PlayedAsk[]
  notes: TraceEvent[]
  /** Files at the end. */
  files: Record<string, string>
  /** Outputs at the end, by path. */
  outputs: Record<string, string>
}

/**
 * Plays a strategy against a script, without loop or agents: each ask takes the next line of its branch and fails when
 * that is another role's; so does a line or check that nobody asked for, and a second effect beside a pending one. A
 * reply that is an Error is thrown. Each ask takes a second of its branch's clock.
 */
export async function play<Role extends string, Options extends z.ZodType>(
  strategy: Strategy<Role, Options>,
  options: z.input<Options>,
  script: readonly Line<Role>[],
  {
    instruction = 'The task.',
    files = {},
    checks,
    approvals = [],
    seed = 'play',
    output = 'answer',
  }: Scene = {},
): Promise<Played> {
  const asks: PlayedAsk[] = []
  const notes: TraceEvent[] = []
  const lines = [...script]
  const checkQueue = checks?.map(whole)
  const approvalQueue = [...approvals]
  const parsed = strategy.options.parse(options) as z.output<Options>
  type Context = StrategyContext<Role, z.output<Options>>

  function contextOf(branch: string, state: State, clock: { now: number }, sharing: Sharing) {
    let pending = ''
    const open = new Set<Promise<unknown>>()
    const effect = async <T>(name: string, work: () => T): Promise<T> => {
      if (pending || open.size > 0)
        throw new Error(`${name} while ${pending || 'a branch'} is pending: use branch()`)
      pending = name
      // A strategy that forgets an await must fail.
      await Promise.resolve()
      pending = ''
      return work()
    }
    const ask = (role: Role, prompt: string, { shape, ...rest }: AskOptions & { shape?: z.ZodType } = {}) =>
      effect(`ask ${role}`, () => {
        expect(
          Object.keys(rolesOf(strategy as Strategy, parsed as Record<string, unknown>)),
          'a role that the strategy names',
        ).toContain(role)
        asks.push({ branch, role, prompt, options: rest, show: rest.show ?? {} })
        clock.now += 1000
        const at = lines.findIndex(([who]) => splitWho(who).branch === branch)
        const [who, reply, edits] = lines[at] ?? ['nobody', '']
        expect(role, `ask ${asks.length}, in branch "${branch}"`).toBe(splitWho(who).role)
        lines.splice(at, 1)
        if (reply instanceof Error) throw reply
        if (edits) state.apply(Object.entries(edits).map(([path, content]) => ({ path, content })))
        return shape ? shape.parse(reply) : String(reply)
      })
    const ended: (() => void)[] = []
    const openBranch = async <T>(
      name: string,
      work: (context: Context) => Promise<T>,
      isRacing = false,
    ): Promise<{ value: T; join(): void }> => {
      if (pending) throw new Error(`branch ${name} while ${pending} is pending`)
      const own = { now: clock.now }
      const path = branch === '' ? name : `${branch}/${name}`
      const { shared: start } = sharing.state
      const ownSharing = { path, state: { shared: start } }
      let conflict: Error | undefined
      const join = () => {
        conflict = joinShared(sharing, ownSharing, start)
      }
      if (!isRacing) ended.push(join)
      const promise = work(contextOf(path, forkState(state), own, ownSharing))
      open.add(promise)
      let seen: number
      do {
        seen = open.size
        await Promise.allSettled(open)
      } while (open.size > seen)
      open.delete(promise)
      clock.now = Math.max(clock.now, own.now)
      // In the order of opening, whichever is heard first.
      for (const join of ended.splice(0)) join()
      const value = await promise
      if (conflict) throw conflict
      return { value, join }
    }
    const context: Context = {
      instruction,
      options: parsed,
      ask: ask as StrategyContext<Role, z.output<Options>>['ask'],
      workspace: workspaceOf(state, () =>
        effect('check', () => {
          if (!checkQueue) return { status: 'none', passed: 0, total: 0, output: '' }
          const next = checkQueue.shift()
          if (!next) throw new Error('one check more than the scene has')
          return next
        }),
      ),
      branch: async (name, work) => (await openBranch(name, work)).value,
      // A graph needs the loop's clocks and joins: its strategies are tested over the real one.
      graph: () => Promise.reject(new Error('play() runs no graph')),
      checkpoint: async (state) => state,
      async first(branches) {
        const runs = await Promise.allSettled(
          Object.entries(branches).map(async ([name, work]) => {
            const run = (inner: Context) => work(inner).then((value) => ({ value, now: inner.now() }))
            const { value, join } = await openBranch(name, run, true)
            return { name, join, ...value }
          }),
        )
        const winners = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []))
        const winner = winners.sort((a, b) => a.now - b.now || (a.name < b.name ? -1 : 1))[0]
        if (!winner) throw (runs[0] as PromiseRejectedResult).reason
        winner.join()
        return { name: winner.name, value: winner.value }
      },
      approve: () => effect('approve', () => approvalQueue.shift() ?? { decision: 'approved', feedback: '' }),
      label: (label) => void notes.push({ type: 'iteration', ...label }),
      candidate: (answer) => void notes.push({ type: 'candidate', answer }),
      note: (event) => void notes.push(event),
      delivers: (answer) => (output === 'answer' ? (answer ?? '').trim() !== '' : hasChanged(state)),
      outputs: sharedOutputs(
        sharing,
        () => {
          if (pending || open.size > 0) throw new Error(`write while ${pending || 'a branch'} is pending`)
          return true
        },
        (text) => text,
      ),
      now: () => clock.now,
      spent: () => ({ calls: asks.length, input: 0, output: 0, costUsd: 0 }),
      random: (label) => seededRandom(`${seed}/${branch}/${label}`)(),
    }
    return context
  }

  const root = startState(files)
  const sharing: Sharing = { path: '', state: { shared: nothingShared } }
  const result = await strategy.run(contextOf('', root, { now: 0 }, sharing))
  expect(lines, 'lines that nobody played').toEqual([])
  expect(checkQueue ?? [], 'checks that nobody ran').toEqual([])
  expect(approvalQueue, 'approvals that nobody asked for').toEqual([])
  expect(JSON.parse(JSON.stringify(result)), 'a result in plain JSON').toEqual(result)
  const written = [...outputsIn(sharing.state.shared)].map(([path, { text }]) => [path, text])
  const outputs = Object.fromEntries(written) as Record<string, string>
  return { result, answer: result.answer, asks, notes, files: Object.fromEntries(root.files()), outputs }
}

const whole = (check: CheckResult | 'passed' | 'failed'): CheckResult => {
  if (typeof check === 'object') return check
  if (check === 'passed') return { status: check, passed: 2, total: 2, output: '' }
  return { status: check, passed: 1, total: 2, output: 'test two failed' }
}

function splitWho(who: string): { branch: string; role: string } {
  const at = who.lastIndexOf(': ')
  return at < 0 ? { branch: '', role: who } : { branch: who.slice(0, at), role: who.slice(at + 2) }
}
