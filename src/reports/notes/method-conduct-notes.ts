import type { Summary } from '../../analysis/summary.ts'
import { methodName } from '../tables/task-columns.ts'
import { gatewayTexts } from '../words/gateway-text.ts'
import { leftOutText } from '../words/left-out-text.ts'
import { counted } from '../words/numbers.ts'
import { peopleText } from '../words/people-text.ts'

/** Returns notes on trials that deviate from the declaration of their strategy, on own judges, and on missing declarations. */
export function fidelityNotes({ methods }: Summary): string[] {
  const undeclared = methods.filter(({ fidelity }) => fidelity.undeclared > 0).map(({ method }) => method)
  return [
    ...methods.flatMap(({ method, trials, fidelity: { deviates, first } }) =>
      deviates === 0
        ? []
        : [
            `${method}: ${deviates} of ${counted(trials.run, 'trial')} deviated from the declaration of the strategy; the first is ${first?.trial}: ${first?.at}.`,
          ],
    ),
    ...methods.flatMap(({ method, ownJudge }) =>
      ownJudge === null
        ? []
        : [
            `${method}: in ${counted(ownJudge.trials, 'trial')} ${ownJudge.agent} chose among candidates that included its own; models favour their own work.`,
          ],
    ),
    ...(undeclared.length === 0
      ? []
      : [`Without a declaration, so not checked: ${[...new Set(undeclared)].join(', ')}.`]),
  ]
}

/** Returns notes on trials in which people took part. */
export function peopleNotes(summary: Summary): string[] {
  return summary.methods.flatMap((row) =>
    row.people
      ? [
          `${methodName(row, summary)}: people took part in ${row.people.trials} of ${counted(row.trials.run, 'trial')} (${peopleText(row.people)}), so its results are not the method's alone.`,
        ]
      : [],
  )
}

/** Returns notes on methods that claimed to be done and delivered nothing. */
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

/** Returns notes on requests of agents' programs that did not pass, and on what providers ran for them. */
export function gatewayNotes(summary: Summary): string[] {
  return summary.methods.flatMap((row) =>
    row.gateway ? gatewayTexts(row.gateway).map((text) => `${methodName(row, summary)}: ${text}`) : [],
  )
}

/** Returns notes on changes that did not count. */
export function leftOutNotes(summary: Summary): string[] {
  return summary.methods.flatMap((row) =>
    row.leftOut
      ? [
          `${methodName(row, summary)}: not counted in ${row.leftOut.trials} of ${counted(row.trials.run, 'trial')}: ${leftOutText(row.leftOut)}.`,
        ]
      : [],
  )
}
