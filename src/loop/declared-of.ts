import type { Outcome } from '../schema/outcome.ts'
import type { TrialRecord } from '../schema/record.ts'
import type { StrategyResult } from '../strategy.ts'
import type { TrialDoor } from './door.ts'
import { fidelityOf } from './fidelity.ts'

/** What a record says of what ran against what its strategy declares. Undefined fields are not written. */
export function declaredOf(
  { strategy, options, asked }: TrialDoor,
  outcome: Outcome,
  result: StrategyResult | undefined,
): Pick<TrialRecord, 'fidelity' | 'ownJudge'> {
  const { declaration } = strategy
  const declared = typeof declaration === 'function' ? declaration(options) : declaration
  // Who gave up, or was made to, need not have come to the declared end.
  const early = outcome.status !== 'completed' || result?.stopReason !== 'done'
  return {
    fidelity: fidelityOf(declared, options, asked, early),
    ownJudge: declared?.chooser === undefined ? undefined : ownJudge(declared.chooser, asked),
  }
}

function ownJudge(chooser: string, asked: TrialDoor['asked']): string | undefined {
  const judge = asked.find(({ step }) => step.role === chooser)?.step.agent
  const isAuthor = ({ step }: TrialDoor['asked'][number]) =>
    step.work === 'produce' && step.role !== chooser && step.agent === judge
  return judge !== undefined && asked.some(isAuthor) ? judge : undefined
}
