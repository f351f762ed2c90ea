import type { Comparison } from '../../analysis/compare/comparison.ts'
import { confoundedText, pairName } from './pair-columns.ts'

/** Returns notes on pairs whose methods asked other models. */
export function confoundedNotes({ pairs }: Comparison): string[] {
  const byModels = new Map<string, string[]>()
  for (const pair of pairs) {
    if (!pair.confounded) continue
    const text = confoundedText(pair.confounded)
    byModels.set(text, [...(byModels.get(text) ?? []), pairName(pair)])
  }
  return [...byModels].map(
    ([text, names]) =>
      `${names.join(', ')}: confounded with the model. ${text}, so the method and the model cannot be separated.`,
  )
}
