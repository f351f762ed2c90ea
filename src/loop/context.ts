import type { z } from 'zod'
import { digest } from '../canonical.ts'
import { seededRandom } from '../random.ts'
import type { ApprovalStep, FirstStep } from '../schema/step.ts'
import type { Approval, AskOptions, StrategyContext, TraceEvent, Workspace } from '../strategy.ts'
import { ask } from './ask.ts'
import { type Branch, beginEffect, forkBranch, runBranch } from './branch.ts'
import { check } from './check.ts'
import { fromJournal, Interrupted, type TrialDoor } from './door.ts'
import { instructionOf } from './preamble.ts'
import { adoptState, applyEdits, filesOf, forkState, readFile, type State, unifiedDiff } from './workspace.ts'

// Roles and options are the strategy's own; the door checks roles itself.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
type Context = StrategyContext<any, any>

/** A person said stop: the trial ends as cancelled. */
export class Cancelled extends Error {}

const states = new WeakMap<Workspace, State>()

/** Everything that a strategy sees of a trial, for one branch of it. */
export function contextOf(door: TrialDoor, branch: Branch): Context {
  const { trial, task } = door
  return {
    instruction: instructionOf(task),
    options: trial.cell.method.options,
    signal: branch.signal,
    ask: ((role: string, prompt: string, options?: AskOptions & { shape?: z.ZodType }) =>
      ask(door, branch, role, prompt, options)) as Context['ask'],
    workspace: workspaceOf(door, branch, branch.state),
    branch: (name, work) => {
      const child = forkBranch(branch, name, branch.signal)
      return runBranch(branch, child, () => work(contextOf(door, child)))
    },
    first: (branches) => first(door, branch, branches),
    approve: (question) => approve(door, branch, question),
    note: (event) => note(door, branch, event),
    now: () => branch.clock,
    random: (label) => seededRandom(`${trial.id}/${branch.path}/${label}`)(),
  }
}

function workspaceOf(door: TrialDoor, branch: Branch, state: State): Workspace {
  const workspace: Workspace = {
    list: () => Object.keys(filesOf(state)).sort(),
    read: (path) => readFile(state, path),
    apply: (edits) => void applyEdits(state, edits, 'reply'),
    diff: () => unifiedDiff(state),
    check: () => check(door, branch, state),
    fork: () => workspaceOf(door, branch, forkState(state)),
    adopt: (other) => {
      const taken = states.get(other)
      if (!taken || taken.base !== state.base)
        throw new Error('[strategy] adopt() takes a workspace of the same trial.')
      adoptState(state, taken)
    },
  }
  states.set(workspace, state)
  return workspace
}

function note(door: TrialDoor, branch: Branch, event: TraceEvent): void {
  const { type, ...fields } = event
  if (type === 'iteration') {
    door.labelled = true
    branch.iteration = fields as Record<string, number | string>
  }
  door.run.event?.(door.trial.id, `${branch.path}!${branch.notes++}`, event)
}

/**
 * Runs all branches; in dev mode and on replay the one with the smallest clock wins, ties by name, in live mode the
 * first to succeed, and the others are cut off. The winner is journaled.
 */
async function first<T>(
  door: TrialDoor,
  branch: Branch,
  branches: Readonly<Record<string, (context: Context) => Promise<T>>>,
): Promise<{ name: string; value: T }> {
  const key = beginEffect(branch, 'first()')
  branch.busy = false
  const names = Object.keys(branches)
  const hash = digest({ first: names })
  const recorded = fromJournal(door, key, 1, hash, () => `first of ${names.join(', ')}`)
  const before = branch.clock
  const cut = new AbortController()
  const signal = door.run.mode === 'live' ? AbortSignal.any([branch.signal, cut.signal]) : branch.signal
  const runners = names.map((name) => ({ name, child: forkBranch(branch, name, signal) }))
  const lose = (winner: string) => {
    for (const { name, child } of runners) if (name !== winner) child.lost = true
  }
  let winner = recorded?.kind === 'first' ? recorded.winner : undefined
  if (winner !== undefined) lose(winner)
  const results = await Promise.allSettled(
    runners.map(({ name, child }) =>
      runBranch(branch, child, async () => {
        const work = branches[name] as (context: Context) => Promise<T>
        const value = await work(contextOf(door, child))
        if (door.run.mode === 'live' && winner === undefined) {
          winner = name
          lose(name)
          cut.abort()
        }
        return value
      }),
    ),
  )
  if (branch.signal.aborted) throw new Interrupted()
  const successes = results.flatMap((result, i) => {
    const runner = runners[i]
    return result.status === 'fulfilled' && runner ? [{ ...runner, value: result.value }] : []
  })
  winner ??= successes.sort((a, b) => a.child.clock - b.child.clock || (a.name < b.name ? -1 : 1))[0]?.name
  const won = successes.find(({ name }) => name === winner)
  if (!won || winner === undefined)
    throw (results[0] as PromiseRejectedResult | undefined)?.reason ?? new Error('first() got no branches')
  branch.clock = Math.max(before, won.child.clock)
  if (!recorded) {
    const step: FirstStep = {
      trial: door.trial.id,
      key,
      attempt: 1,
      kind: 'first',
      payer: 'method',
      hash,
      at: before,
      durationMs: branch.clock - before,
      winner,
    }
    door.run.journal?.step(step)
  }
  return { name: winner, value: won.value }
}

async function approve(door: TrialDoor, branch: Branch, question: string): Promise<Approval> {
  const key = beginEffect(branch, 'approve()')
  try {
    const hash = digest({ approve: question })
    const recorded = fromJournal(door, key, 1, hash, () => `approve: ${question}`)
    const decision = recorded?.kind === 'approval' ? recorded.decision : door.run.approvals
    const feedback = recorded?.kind === 'approval' ? recorded.feedback : ''
    if (!recorded) {
      const step: ApprovalStep = {
        trial: door.trial.id,
        key,
        attempt: 1,
        kind: 'approval',
        payer: 'method',
        hash,
        at: branch.clock,
        durationMs: 0,
        question,
        decision,
        feedback,
      }
      door.run.journal?.step(step)
    }
    if (decision === 'abort') throw new Cancelled(question)
    return { decision, feedback }
  } finally {
    branch.busy = false
  }
}
