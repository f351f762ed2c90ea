import { setMaxListeners } from 'node:events'
import type { FirstStep } from '../../schema/ledger/step.ts'
import type { StrategyContext } from '../../strategy.ts'
import { digest } from '../../text/canonical-json.ts'
import { stepHead } from '../journal/journal.ts'
import { type Branch, forkBranch, lose, nextKey } from '../state/branch.ts'
import { runBranch } from '../state/branch-group.ts'
import { noteOpened } from '../state/left-unused.ts'
import { fromJournal, Interrupted, isNew, type TrialState } from '../state/trial-state.ts'

// Roles and options are the strategy's own.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
type Context = StrategyContext<any, any>

/**
 * Runs all branches; in dev mode and on replay the one with the smallest clock wins, ties by name, in live mode the
 * first to succeed, and the others are cut off. The winner is journaled.
 */
export async function first<T>(
  trialState: TrialState,
  branch: Branch,
  branches: Readonly<Record<string, (context: Context) => Promise<T>>>,
  contextOf: (trialState: TrialState, branch: Branch) => Context,
): Promise<{ name: string; value: T }> {
  const key = nextKey(branch, 'first()')
  const names = Object.keys(branches)
  const hash = digest({ first: names })
  // Cut off itself, before it had a winner: what its branches have journaled still happens.
  const isCutOff = branch.lost && isNew(trialState, key, 1)
  const recorded = isCutOff
    ? undefined
    : fromJournal(trialState, key, 1, hash, () => `first of ${names.join(', ')}`)
  const before = branch.clock
  const cut = new AbortController()
  const signal = trialState.run.mode === 'live' ? AbortSignal.any([branch.signal, cut.signal]) : branch.signal
  // Every call of every branch under it listens while it lasts.
  if (trialState.run.mode === 'live') setMaxListeners(0, signal)
  const runners = names.map((name) => ({ name, child: forkBranch(branch, name, signal) }))
  for (const { child } of runners) noteOpened(trialState, child, branch)
  const loseTo = (winner: string) => {
    for (const { name, child } of runners) if (name !== winner) lose(child)
  }
  // Null: none succeeded.
  let winner: string | null | undefined = recorded?.kind === 'first' ? recorded.winner : undefined
  if (winner) loseTo(winner)
  const results = await Promise.allSettled(
    runners.map(({ name, child }) =>
      runBranch(branch, child, async () => {
        const work = branches[name] as (context: Context) => Promise<T>
        const value = await work(contextOf(trialState, child))
        // Of a trial that was stopped, what is in flight still ends: it is asked no second time.
        if (trialState.run.mode === 'live' && winner === undefined && !isCutOff && !trialState.stopped) {
          winner = name
          loseTo(name)
          cut.abort()
        }
        return value
      }),
    ),
  )
  // Cut off while what is journaled came to pass again, it still ends as it did.
  if (isCutOff || (branch.signal.aborted && !recorded) || trialState.stopped) throw new Interrupted()
  const successes = results.flatMap((result, i) => {
    const runner = runners[i]
    return result.status === 'fulfilled' && runner ? [{ ...runner, value: result.value }] : []
  })
  if (winner === undefined)
    winner =
      successes.sort((a, b) => a.child.clock - b.child.clock || (a.name < b.name ? -1 : 1))[0]?.name ?? null
  if (winner) loseTo(winner)
  const won = successes.find((one): boolean => one.name === winner)
  branch.clock = won ? Math.max(before, won.child.clock) : branch.clock
  if (!recorded) {
    const step: FirstStep = {
      ...stepHead(trialState, 'first', key, hash, before),
      durationMs: branch.clock - before,
      winner: winner ?? null,
    }
    trialState.run.journal?.step(step, trialState.ledgerChecksum)
    // Who was first in live mode cannot be found out again.
    if (trialState.paid) await trialState.run.journal?.syncSteps()
  }
  if (!won) {
    const [lost] = results
    throw lost?.status === 'rejected' ? lost.reason : new Error('first() got no branches')
  }
  return { name: won.name, value: won.value }
}
