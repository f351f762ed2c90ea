import type { Summary } from '../../analysis/summary.ts'
import { methodName } from '../tables/task-columns.ts'
import { counted } from '../words/numbers.ts'

/** Trials in which something else ran than what their strategy declares, and strategies that declare nothing. */
export function fidelityNotes({ methods }: Summary): string[] {
  const undeclared = methods.filter(({ fidelity }) => fidelity.undeclared > 0).map(({ method }) => method)
  return [
    ...methods.flatMap(({ method, trials, fidelity: { deviates, first } }) =>
      deviates === 0
        ? []
        : [
            `${method}: ${deviates} of ${counted(trials.run, 'trial')} did not run as its strategy declares; first ${first?.trial}, ${first?.at}.`,
          ],
    ),
    ...methods.flatMap(({ method, ownJudge }) =>
      ownJudge === null
        ? []
        : [
            `${method}: in ${counted(ownJudge.trials, 'trial')} ${ownJudge.agent} chose among works of which it had made some; models favour their own.`,
          ],
    ),
    ...(undeclared.length === 0
      ? []
      : [`Not declared, so not held against a declaration: ${[...new Set(undeclared)].join(', ')}.`]),
  ]
}

/** Methods that said they were done where they had handed in nothing. */
export function claimNotes(summary: Summary): string[] {
  return summary.methods.flatMap((row) => {
    const { trials, passed } = row.doneWithNothing
    if (trials === 0) return []
    const graded = passed === 0 ? '' : `; ${passed} of them passed`
    const name = methodName(row, summary)
    return [
      `${name}: claims done, delivered nothing: ${trials} of ${counted(row.trials.run, 'trial')}${graded}.`,
    ]
  })
}
