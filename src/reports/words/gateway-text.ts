import type { MethodSummary } from '../../analysis/summary.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { counted } from './numbers.ts'
import { safeLine } from './safe-text.ts'

/** Returns what the gateway did with requests of the programs of a row, a sentence each. */
export function gatewayTexts({ refused, trials, tools }: NonNullable<MethodSummary['gateway']>): string[] {
  return [
    ...(refused > 0
      ? [
          `${counted(refused, 'request')} of agents' programs to their provider did not pass, in ${counted(trials, 'trial')}; bench show has them.`,
        ]
      : []),
    ...(tools.length > 0
      ? [`providers may have run tools for agents (--allow-provider-tools): ${safeLine(tools.join(', '))}.`]
      : []),
  ]
}

/** Returns the same of one trial, in a few words; empty if there is nothing to say. */
export const gatewayText = ({ refusedRequests, providerTools = [] }: TrialRecord): string =>
  [
    refusedRequests === undefined ? '' : `${counted(refusedRequests, 'request')} to providers did not pass`,
    providerTools.length > 0 ? `providers may have run ${providerTools.join(', ')}` : '',
  ]
    .filter(Boolean)
    .join('; ')
