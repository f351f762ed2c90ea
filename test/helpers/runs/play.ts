import { expect } from 'vitest'
import type { z } from 'zod'
import type { AskOptions } from '../../../src/ask.ts'
import { seededRandom } from '../../../src/base/random.ts'
import { rolesOf } from '../../../src/loop/plan/row-agents.ts'
import type {
  Approval,
  CheckResult,
  FileEdit,
  Strategy,
  StrategyContext,
  StrategyResult,
  TraceEvent,
  Workspace,
} from '../../../src/strategy.ts'

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
  /** What the method wrote beside them. */
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
  const written = new Map<string, string>()
  const checkQueue = checks?.map(whole)
  const approvalQueue = [...approvals]
  const parsed = strategy.options.parse(options) as z.output<Options>

  function contextOf(branch: string, state: State, clock: { now: number }) {
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
    const context: StrategyContext<Role, z.output<Options>> = {
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
      async branch(name, work) {
        if (pending) throw new Error(`branch ${name} while ${pending} is pending`)
        const own = { now: clock.now }
        const promise = work(contextOf(branch === '' ? name : `${branch}/${name}`, forkState(state), own))
        open.add(promise)
        let seen: number
        do {
          seen = open.size
          await Promise.allSettled(open)
        } while (open.size > seen)
        open.delete(promise)
        clock.now = Math.max(clock.now, own.now)
        return promise
      },
      // A graph needs the loop's clocks and joins: its strategies are tested over the real one.
      graph: () => Promise.reject(new Error('play() runs no graph')),
      checkpoint: async (state) => state,
      async first(branches) {
        const runs = await Promise.allSettled(
          Object.entries(branches).map(([name, work]) =>
            context.branch(name, async (inner) => ({ name, value: await work(inner), now: inner.now() })),
          ),
        )
        const ended = runs.flatMap((run) => (run.status === 'fulfilled' ? [run.value] : []))
        const winner = ended.sort((a, b) => a.now - b.now || (a.name < b.name ? -1 : 1))[0]
        if (!winner) throw (runs[0] as PromiseRejectedResult).reason
        return { name: winner.name, value: winner.value }
      },
      approve: () => effect('approve', () => approvalQueue.shift() ?? { decision: 'approved', feedback: '' }),
      label: (label) => void notes.push({ type: 'iteration', ...label }),
      candidate: (answer) => void notes.push({ type: 'candidate', answer }),
      note: (event) => void notes.push(event),
      delivers: (answer) => (output === 'answer' ? (answer ?? '').trim() !== '' : hasChanged(state)),
      outputs: {
        write: (path, text) => void written.set(path, text),
        read: (path) => written.get(path),
        list: () => [...written.keys()].sort(),
      },
      now: () => clock.now,
      spent: () => ({ calls: asks.length, input: 0, output: 0, costUsd: 0 }),
      random: (label) => seededRandom(`${seed}/${branch}/${label}`)(),
    }
    return context
  }

  const root = startState(files)
  const result = await strategy.run(contextOf('', root, { now: 0 }))
  expect(lines, 'lines that nobody played').toEqual([])
  expect(checkQueue ?? [], 'checks that nobody ran').toEqual([])
  expect(approvalQueue, 'approvals that nobody asked for').toEqual([])
  expect(JSON.parse(JSON.stringify(result)), 'a result in plain JSON').toEqual(result)
  return {
    result,
    answer: result.answer,
    asks,
    notes,
    files: Object.fromEntries(root.files()),
    outputs: Object.fromEntries(written),
  }
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

interface State {
  base: ReadonlyMap<string, string>
  files(): Map<string, string>
  replace(files: Map<string, string>): void
  apply(edits: readonly FileEdit[]): void
}

const startState = (files: Readonly<Record<string, string>>) => stateOf(new Map(Object.entries(files)))
const forkState = (state: State) => stateOf(state.base, new Map(state.files()))

function stateOf(base: ReadonlyMap<string, string>, start = new Map(base)): State {
  let current = start
  return {
    base,
    files: () => current,
    replace: (files) => {
      current = new Map(files)
    },
    apply: (edits) => {
      for (const { path, content } of edits) {
        if (content === null) current.delete(path)
        else current.set(path, content)
      }
    },
  }
}

const hasChanged = ({ base, files }: State) =>
  files().size !== base.size || [...files()].some(([path, content]) => base.get(path) !== content)

const states = new WeakMap<Workspace, State>()

function workspaceOf(state: State, check: () => Promise<CheckResult>): Workspace {
  const workspace: Workspace = {
    list: () => [...state.files().keys()].sort(),
    read: (path) => state.files().get(path),
    apply: state.apply,
    // Not a unified diff, but empty exactly if no file changed.
    diff: () =>
      [...new Set([...state.base.keys(), ...state.files().keys()])]
        .filter((path) => state.base.get(path) !== state.files().get(path))
        .sort()
        .map((path) => `--- ${path}\n-${state.base.get(path) ?? ''}\n+${state.files().get(path) ?? ''}`)
        .join('\n'),
    check,
    adopt: (other) => {
      const taken = states.get(other)
      if (!taken) throw new Error('adopt() takes a workspace of the same trial')
      state.replace(taken.files())
    },
  }
  states.set(workspace, state)
  return workspace
}
