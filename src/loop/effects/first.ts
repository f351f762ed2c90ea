import type { FirstStep } from '../../schema/ledger/step.ts'
import { digest } from '../../text/canonical-json.ts'
import { eitherSignal } from '../branch/begin-trial.ts'
import { markLost, nextKey, openBranch } from '../branch/branch.ts'
import { runBranch } from '../branch/branch-group.ts'
import { checkFunction } from '../branch/check-result.ts'
import { Interrupted, isNew, stepHead, takeRecordedStep, writeStep } from '../branch/recorded-steps.ts'
import { joinShared } from '../branch/shared.ts'
import type { Branch, Context } from '../branch/trial-state.ts'

/**
 * Runs all branches and returns the winner's value. In dev mode and on replay the smallest clock wins, ties by name; in live
 * mode the first branch to succeed, and the others are cut off. The winner is journaled.
 */
export async function first<T>(
  branch: Branch,
  branches: Readonly<Record<string, (context: Context) => Promise<T>>>,
  contextOf: (branch: Branch) => Context,
): Promise<{ name: string; value: T }> {
  const { trialState } = branch
  const names = Object.keys(branches)
  if (names.length === 0) throw new Error('[strategy] first() needs at least one branch.')
  if (trialState.bill.recorded)
    throw new Error(
      '[strategy] first() takes the fastest branch, and the time of recorded replies is unknown; use branch() and choose by the work.',
    )
  for (const name of names) checkFunction(`first(): the work of "${name}"`, branches[name])
  const key = nextKey(branch, 'first()')
  const hash = digest({ first: names })
  // The branch lost an outer `first` before this one had a winner: these branches still replay their journaled steps.
  const isCutOff = branch.lost && isNew(trialState, key, 1)
  const recorded = isCutOff
    ? undefined
    : takeRecordedStep(trialState, key, 1, hash, () => `first of ${names.join(', ')}`)
  const before = branch.clock
  const cut = new AbortController()
  const isLive = trialState.run.mode === 'live'
  const signal = isLive ? eitherSignal(branch.signal, cut.signal) : branch.signal
  const sharedAtStart = branch.state.shared
  const runners = names.map((name) => ({ name, child: openBranch(branch, name, signal) }))
  for (const { child } of runners) child.isRacing = true
  const markLosers = (winner: string) => {
    for (const { name, child } of runners) if (name !== winner) markLost(child)
  }
  // Null: none succeeded.
  let winner: string | null | undefined = recorded?.kind === 'first' ? recorded.winner : undefined
  if (winner) markLosers(winner)
  const results = await Promise.allSettled(
    runners.map(({ name, child }) =>
      runBranch(branch, child, async () => {
        const work = branches[name] as (context: Context) => Promise<T>
        const value = await work(contextOf(child))
        // In a stopped trial, calls in flight still end, so that they are not made twice.
        if (isLive && winner === undefined && !isCutOff && trialState.phase !== 'stopped') {
          winner = name
          markLosers(name)
          cut.abort()
        }
        return value
      }),
    ),
  )
  // A journaled winner counts even when the trial was cut off meanwhile.
  if (isCutOff || (branch.signal.aborted && !recorded) || trialState.phase === 'stopped')
    throw new Interrupted()
  const successes = results.flatMap((result, i) => {
    const runner = runners[i]
    return result.status === 'fulfilled' && runner ? [{ ...runner, value: result.value }] : []
  })
  if (winner === undefined)
    winner =
      successes.sort((a, b) => a.child.clock - b.child.clock || (a.name < b.name ? -1 : 1))[0]?.name ?? null
  if (winner) markLosers(winner)
  const won = successes.find((one): boolean => one.name === winner)
  branch.clock = won ? Math.max(before, won.child.clock) : branch.clock
  if (!recorded) {
    const step: FirstStep = {
      ...stepHead(trialState, 'first', key, hash, before),
      durationMs: branch.clock - before,
      winner: winner ?? null,
    }
    writeStep(trialState, step)
    // In live mode the winner cannot be determined again.
    if (trialState.bill.paid) await trialState.run.journal?.syncSteps()
  }
  if (!won) {
    const [lost] = results
    throw lost?.status === 'rejected' ? lost.reason : new Error('[strategy] first() has no winner.')
  }
  const conflict = joinShared(branch, won.child, sharedAtStart)
  if (conflict) throw conflict
  return { name: won.name, value: won.value }
}
