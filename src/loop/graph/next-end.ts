import type { GraphEndStep } from '../../schema/ledger/step.ts'
import { stepHead } from '../journal/journal.ts'
import { Interrupted, isInterrupted, takeBranchStep } from '../state/trial-state.ts'
import type { Ended, GraphRun, RunningStep } from './graph-run.ts'

/** Waits for the step that ends next: the journaled one, in live mode the first, in dev mode the first on the clock, ties by id. */
export async function nextEnd(graph: GraphRun): Promise<Ended> {
  const { trialState, branch, running, hash } = graph
  const key = `${branch.path}#${branch.counter}`
  // An interrupted trial writes no step; what is in flight still ends.
  if (isInterrupted(trialState)) await Promise.all([...running.values()].map(({ ended }) => ended))
  const step = takeBranchStep(
    trialState,
    branch,
    key,
    1,
    hash,
    () => `the next of ${running.size} running steps ends`,
  )
  branch.counter++
  if (step?.kind === 'graph') {
    const recorded = [...running.values()].find(({ planned }) => planned.step.id === step.step)
    if (!recorded) throw new Error(`[graph] step "${step.step}" ended next, but it is not running now`)
    return recorded.ended
  }
  const ended =
    trialState.run.mode === 'live'
      ? await Promise.race([...running.values()].map(({ ended }) => ended))
      : firstOnClock(await Promise.all([...running.values()].map(({ ended }) => ended)))
  if (isInterrupted(trialState)) throw new Interrupted()
  const { running: one } = ended
  const line: GraphEndStep = {
    ...stepHead(trialState, 'graph', key, hash, one.start.clock),
    durationMs: one.branch.clock - one.start.clock,
    step: one.planned.step.id,
  }
  trialState.run.journal?.step(line, trialState.ledgerChecksum)
  return ended
}

const firstOnClock = (ended: readonly Ended[]): Ended =>
  ended.reduce((first, one) => (isBefore(one.running, first.running) ? one : first))

const isBefore = (one: RunningStep, other: RunningStep) =>
  one.branch.clock < other.branch.clock ||
  (one.branch.clock === other.branch.clock && one.planned.step.id < other.planned.step.id)
