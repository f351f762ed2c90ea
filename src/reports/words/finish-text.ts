import type { Finish } from '../../schema/ledger/finish.ts'
import { counted } from './numbers.ts'

type Told = Exclude<Finish, 'stop'>

/** How one reply ended, if it did not end by itself. */
export const finishTexts: Readonly<Record<Told, string>> = {
  length: 'ended by the output limit (length)',
  refusal: 'ended by a refusal (refusal)',
  thoughts: 'ended with thoughts alone (thoughts)',
  'tool-call': 'ended by the call of a tool (tool-call)',
}

const kinds: readonly [Told, one: string, several: string][] = [
  ['length', 'was cut off by the output limit (length)', 'were cut off by the output limit (length)'],
  ['refusal', 'was refused (refusal)', 'were refused (refusal)'],
  ['thoughts', 'gave only thoughts (thoughts)', 'gave only thoughts (thoughts)'],
  [
    'tool-call',
    'called a tool that was not offered (tool-call)',
    'called tools that were not offered (tool-call)',
  ],
]

/** Returns `4 of 30 calls were cut off by the output limit (length), 1 was refused (refusal)`; empty without any. */
export function finishesText(finishes: Readonly<Partial<Record<Finish, number>>>, calls: number): string {
  return kinds
    .flatMap(([finish, one, several]) => {
      const count = finishes[finish] ?? 0
      return count === 0 ? [] : [{ count, words: count === 1 ? one : several }]
    })
    .map(({ count, words }, i) => `${count}${i === 0 ? ` of ${counted(calls, 'call')}` : ''} ${words}`)
    .join(', ')
}
