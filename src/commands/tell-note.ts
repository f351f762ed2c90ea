import { safeLine } from '../reports/safe-text.ts'

/** Tells what a reader should know of the results, beside them; nothing where there is no note. */
export function tellNote(note: string | undefined): void {
  if (note !== undefined) process.stderr.write(`note: ${safeLine(note)}\n`)
}
