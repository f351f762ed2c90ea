import { vi } from 'vitest'
import { fuzzOf } from './fuzz.ts'
import { fuzzDocuments } from './fuzz-documents.ts'
import { fuzzInputs } from './fuzz-inputs.ts'
import { fuzzMachines } from './fuzz-machines.ts'
import { fuzzOptions } from './fuzz-options.ts'
import { fuzzRunFiles } from './fuzz-run-files.ts'

/**
 * Declares the tests that damage every kind of file and option, so many times each: a reader refuses with a place and a
 * remedy, or reads what a plain reader would; of a line with a checksum only what was written.
 */
export function fuzzReaders(runs: number, seed: number): void {
  // Bounded by count, not by the clock: a busy machine takes its time.
  vi.setConfig({ testTimeout: 60_000 + runs * 100 })
  const fuzz = fuzzOf(runs, seed)
  fuzzRunFiles(fuzz)
  fuzzInputs(fuzz)
  fuzzDocuments(fuzz)
  fuzzMachines(fuzz)
  fuzzOptions(fuzz)
}
