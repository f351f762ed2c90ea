import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import { confoundedText, pairName } from './pair-columns.ts'

/** Returns notes on pairs whose methods asked other models or had other tools. */
export function confoundedNotes({ pairs }: Comparison): string[] {
  const notes = (
    textOf: (pair: PairComparison) => string | null,
    end: (names: string, text: string) => string,
  ) => {
    const byText = new Map<string, string[]>()
    for (const pair of pairs) {
      const text = textOf(pair)
      if (text !== null) byText.set(text, [...(byText.get(text) ?? []), pairName(pair)])
    }
    return [...byText].map(([text, names]) => end(names.join(', '), text))
  }
  const toolsOf = (kind: 'confounded' | 'compared') => (pair: PairComparison) =>
    pair.tools?.kind === kind ? capitalised(pair.tools.text) : null
  return [
    ...notes(
      ({ confounded }) => confounded && confoundedText(confounded),
      (names, text) =>
        `${names}: confounded with the model. ${text}, so the method and the model cannot be separated.`,
    ),
    ...notes(
      toolsOf('confounded'),
      (names, text) =>
        `${names}: confounded with the tools. ${text}. Their methods, options or agents differ, too, so what the tools do cannot be separated from the rest.`,
    ),
    ...notes(
      toolsOf('compared'),
      (names, text) =>
        `${names}: the same method with the same agents and other tools. ${text}, so the tools are what is compared.`,
    ),
  ]
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
