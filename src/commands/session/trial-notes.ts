import { counted } from '../../reports/words/numbers.ts'
import { reasonText, safeLine } from '../../reports/words/safe-text.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { shorten } from '../../text/shorten.ts'

/** Collects notes about the trials of a session, to print at its end. */
export interface TrialNotes {
  add(record: TrialRecord): void
  /** Returns a line for each method with failed trials, or with trials that left something unused: how many, and the first. */
  ofMethods(): string[]
  /** Returns the reason of the first trial that ended in error; undefined if none did. */
  firstError(): string | undefined
}

export function collectTrialNotes(): TrialNotes {
  const failures = new Map<string, TrialNote>()
  const unused = new Map<string, TrialNote>()
  let firstError: string | undefined
  return {
    add(record) {
      const { method, outcome, trial } = record
      if (outcome.status === 'failed') count(failures, method, reasonText(record))
      if (outcome.status === 'error') firstError ??= outcome.reason
      if (record.unused)
        count(unused, method, `${record.unused[0]}; see bench show RUN ${trial.slice(0, 12)}`)
    },
    ofMethods: () => [
      ...lines(failures, (first) => `ended as failed, the first because ${first}`),
      ...lines(unused, (first) => `left work unused, the first: ${first}`),
    ],
    firstError: () =>
      firstError === undefined ? undefined : `the first error: ${safeLine(shorten(firstError))}`,
  }
}

interface TrialNote {
  count: number
  first: string
}

function count(notes: Map<string, TrialNote>, method: string, first: string): void {
  const before = notes.get(method)
  if (before) before.count++
  else notes.set(method, { count: 1, first })
}

function lines(notes: ReadonlyMap<string, TrialNote>, text: (first: string) => string): string[] {
  return [...notes].map(
    ([method, { count, first }]) =>
      `${counted(count, 'trial')} of ${safeLine(method)} ${text(safeLine(first))}`,
  )
}
