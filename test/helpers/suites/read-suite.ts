import { loadSuite } from '../../../src/suites/load-suite.ts'
import type { Importer, LoadedSuite } from '../../../src/suites/suite.ts'

/** Reads a suite whole, by default without parameters. */
export const readSuite = (
  importer: Importer,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<LoadedSuite> => loadSuite(importer, { path, parameters })
