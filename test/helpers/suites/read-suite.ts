import { loadSuite } from '../../../src/suites/load-suite.ts'
import type { Importer, LoadedSuite } from '../../../src/suites/suite.ts'

/** Reads a suite whole, without parameters. */
export const readSuite = (importer: Importer, path: string): Promise<LoadedSuite> =>
  loadSuite(importer, { path, parameters: {} })
