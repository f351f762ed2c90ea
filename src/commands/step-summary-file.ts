import { appendFileSync, existsSync, statSync } from 'node:fs'
import { storing } from '../loop/storage.ts'
import type { Report } from '../reports/report.ts'
import { type HeldCondition, renderStepSummary } from '../reports/step-summary.ts'

/** What GitHub shows of a step's summary, all that its commands add together. */
const mostBytes = 1024 * 1024

/** Adds what a run came to to the summary of a CI step, as far as there is room. Throws `StorageError`. */
export function addStepSummary(path: string, report: Report, held: readonly HeldCondition[]): void {
  const before = existsSync(path) ? statSync(path).size : 0
  storing(path, () => appendFileSync(path, renderStepSummary(report, held, mostBytes - before)))
}

/** A condition that held as an annotation, in the words of GitHub Actions. */
export function annotation({ text, value }: HeldCondition): string {
  return `::error title=bench --fail-if::${inCommand(`${text} (it is ${value})`)}`
}

const inCommand = (text: string) =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
