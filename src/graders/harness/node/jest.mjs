// Runs specs of Jest in one process and reports their results. A solution that ends the process, prints fake results or changes the
// tests cannot pass. This module is both the entry and `@jest/globals`.
import './random.mjs'
import { installGlobals } from './jest-globals.mjs'
import { acceptJestModules } from './loaders.mjs'
import { openSpecs, runSpecs } from './specs.mjs'

const specs = openSpecs()
const loadModule = specs.isolated ? (await import('./stand-ins.mjs')).connect(specs.report) : async () => {}
const { globals, api } = installGlobals(
  specs.isolated ? undefined : (await import('./timers-library.mjs')).install,
)
acceptJestModules({ '@jest/globals': import.meta.url }, globals)

export const { expect, jest, describe, test, it, fdescribe, xdescribe, fit, xit, xtest } = globals
export const { beforeAll, beforeEach, afterEach, afterAll } = globals

runSpecs({ ...specs, loadModule }, api)
