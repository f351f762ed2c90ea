import { reasonText, safeLine } from '../../reports/words/safe-text.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { shorten } from '../../text/shorten.ts'

/** What is worth a line about the trials of a session. */
export interface TrialNotes {
  add(record: TrialRecord): void
  /** Trials that ended as failed, or left something unused: for each method how many, and the first of them. */
  ofMethods(): string[]
  /** The first trial's that ended in error. */
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
      ...lines(unused, (first) => `left something unused, the first: ${first}`),
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
    ([method, { count, first }]) => `${count} trial(s) of ${safeLine(method)} ${text(safeLine(first))}`,
  )
}
