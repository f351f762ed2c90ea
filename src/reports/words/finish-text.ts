import type { Finish } from '../../schema/ledger/finish.ts'

/** How a reply ended that has no plain end. */
export const finishTexts: Readonly<Record<Exclude<Finish, 'stop'>, string>> = {
  length: 'ended by the output limit (length)',
  refusal: 'ended by a refusal (refusal)',
  'tool-call': 'ended by the call of a tool (tool-call)',
  thoughts: 'ended with thoughts alone (thoughts)',
}

const counts: readonly [Exclude<Finish, 'stop'>, string][] = [
  ['length', 'cut off by the output limit (length)'],
  ['refusal', 'refused (refusal)'],
  ['thoughts', 'only thoughts, without an answer (thoughts)'],
  ['tool-call', 'calls of tools that were not offered (tool-call)'],
]

/** Returns `4 cut off by the output limit (length), 1 refused (refusal)`; empty without any. */
export function finishesText(finishes: Readonly<Partial<Record<Finish, number>>>): string {
  return counts
    .flatMap(([finish, words]) => (finishes[finish] ? [`${finishes[finish]} ${words}`] : []))
    .join(', ')
}
