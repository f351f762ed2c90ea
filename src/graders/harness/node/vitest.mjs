// Runs specs of Vitest in one process and reports their results, as `jest.mjs` does. This module is both the entry and `vitest`.
import './random.mjs'
import { acceptJestModules } from './loaders.mjs'
import { openSpecs, runSpecs } from './specs.mjs'
import { installGlobals } from './vitest-globals.mjs'

const specs = openSpecs()
const loadModule = specs.isolated ? (await import('./stand-ins.mjs')).connect(specs.report) : async () => {}
const { globals, api } = installGlobals(
  specs.isolated ? undefined : (await import('./timers-library.mjs')).install,
)
acceptJestModules({ vitest: import.meta.url }, globals)

export const { expect, assert, chai, vi, vitest, describe, suite, test, it, bench } = globals
export const { beforeAll, beforeEach, afterEach, afterAll, onTestFinished, onTestFailed } = globals
export const { expectTypeOf, assertType, inject, should } = globals

runSpecs({ ...specs, loadModule }, api)
