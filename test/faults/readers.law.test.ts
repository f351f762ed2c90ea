import { vi } from 'vitest'
import { fuzzOf } from '../helpers/fuzz/fuzz.ts'
import { fuzzDocuments } from '../helpers/fuzz/fuzz-documents.ts'
import { fuzzInputs } from '../helpers/fuzz/fuzz-inputs.ts'
import { fuzzMachines } from '../helpers/fuzz/fuzz-machines.ts'
import { fuzzOptions } from '../helpers/fuzz/fuzz-options.ts'
import { fuzzRunFiles } from '../helpers/fuzz/fuzz-run-files.ts'
import { level } from '../helpers/house/level.ts'

// Each kind of file and option is damaged so often: a reader refuses with a place and a remedy, or reads what a plain reader would; of
// a line with a checksum only what was written.
const runs = level(350, 10_000)
const seed = Date.now() % 2 ** 31

// Bounded by count, not by the clock: a busy machine takes its time.
vi.setConfig({ testTimeout: 60_000 + runs * 100 })
const fuzz = fuzzOf(runs, seed)
fuzzRunFiles(fuzz)
fuzzInputs(fuzz)
fuzzDocuments(fuzz)
fuzzMachines(fuzz)
fuzzOptions(fuzz)
