import { reasonText, safeLine } from '../../reports/words/safe-text.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { shorten } from '../../text/shorten.ts'

/** What is worth a line about the trials of a session. */
export interface Remarks {
  add(record: TrialRecord): void
  /** Trials that ended as failed, or left something unused: for each method how many, and the first of them. */
  ofMethods(): string[]
  /** The first trial's that ended in error. */
  firstError(): string | undefined
}

export function collectRemarks(): Remarks {
  const failures = new Map<string, Remark>()
  const unused = new Map<string, Remark>()
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

interface Remark {
  count: number
  first: string
}

function count(remarks: Map<string, Remark>, method: string, first: string): void {
  const before = remarks.get(method)
  if (before) before.count++
  else remarks.set(method, { count: 1, first })
}

function lines(remarks: ReadonlyMap<string, Remark>, text: (first: string) => string): string[] {
  return [...remarks].map(
    ([method, { count, first }]) => `${count} trial(s) of ${safeLine(method)} ${text(safeLine(first))}`,
  )
}
