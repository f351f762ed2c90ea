import { counted } from '../../reports/words/numbers.ts'
import { reasonText, safeLine } from '../../reports/words/safe-text.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { shorten } from '../../text/shorten.ts'

/** Collects notes about the trials of a session, to print at its end. */
export interface TrialNotes {
  add(record: TrialRecord): void
  /** Returns a line for each method with failed trials, or with trials that left something unused: how many, and the first. */
  ofMethods(): string[]
  /** Returns a line for each of the first three different reasons of trials that ended in error, in the order of ending. */
  errors(): string[]
}

export function collectTrialNotes(): TrialNotes {
  const failures = new Map<string, TrialNote>()
  const unused = new Map<string, TrialNote>()
  const errors = new Set<string>()
  return {
    add(record) {
      const { method, outcome, trial } = record
      if (outcome.status === 'failed') count(failures, method, reasonText(record))
      if (outcome.status === 'error' && errors.size < mostErrors) errors.add(withoutRole(outcome.reason))
      if (record.unused)
        count(unused, method, `${record.unused[0]}; see bench show RUN ${trial.slice(0, 12)}`)
    },
    ofMethods: () => [
      ...lines(failures, (first) => `ended as failed, the first because ${first}`),
      ...lines(unused, (first) => `left work unused, the first: ${first}`),
    ],
    errors: () =>
      [...errors].map(
        (reason, i) => `${i === 0 ? 'the first error' : 'another error'}: ${safeLine(shorten(reason))}`,
      ),
  }
}

const mostErrors = 3

/** Leaves out what differs between asks that fail for the same reason: the role, and the number of attempts. */
const withoutRole = (reason: string) => reason.replace(/ \(as "[^"]*"[^()]*\)$/, '')

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
