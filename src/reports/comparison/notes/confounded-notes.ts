import type { Comparison } from '../../../analysis/compare/comparison.ts'
import { confoundedText } from '../pair-columns.ts'
import { groupPairs } from './group-pairs.ts'

/** Returns notes on pairs whose methods asked other models or had other tools. */
export function confoundedNotes({ pairs }: Comparison): string[] {
  return [
    ...groupPairs(pairs, ({ confounded }) =>
      confounded === null
        ? null
        : `confounded with the model. ${capitalised(confoundedText(confounded))}, so the method and the model cannot be separated.`,
    ),
    ...groupPairs(pairs, ({ tools }) =>
      tools?.kind === 'confounded'
        ? `confounded with the tools. ${capitalised(tools.text)}. Their methods, options or agents differ, too, so what the tools do cannot be separated from the rest.`
        : null,
    ),
    ...groupPairs(pairs, ({ tools }) =>
      tools?.kind === 'compared'
        ? `the same method with the same agents and other tools. ${capitalised(tools.text)}, so the tools are what is compared.`
        : null,
    ),
  ]
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
