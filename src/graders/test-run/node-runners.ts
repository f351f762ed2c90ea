import type { TypeScriptMode } from './strip-types.ts'
import { harnessFolder } from './test-job.ts'

/** How a runner of JavaScript and TypeScript works. */
export interface NodeRunner {
  /** The harness's program, its modules, and the libraries that the build made. */
  program: string
  modules: readonly string[]
  libraries: readonly string[]
  /** Options of Node for the program, and of the solution's process. */
  options: readonly string[]
  solutionOptions: readonly string[]
  /** Names of test files, if any file has such a name. */
  named: RegExp
  /** Endings that an import may leave out. */
  endings: readonly string[]
  typescript: TypeScriptMode
}

/** Modules by which tests and solution call each other. */
export const linkModules = [
  ...[
    'channel.mjs',
    'link.mjs',
    'mirror.mjs',
    'outgoing.mjs',
    'incoming.mjs',
    'arrivals.mjs',
    'builtins.mjs',
  ],
  ...[
    'kinds.mjs',
    'contents.mjs',
    'originals.mjs',
    'iterators.mjs',
    'random.mjs',
    'values.mjs',
    'loaders.mjs',
  ],
]
const testModules = ['report.mjs', 'stand-ins.mjs', 'test-files.mjs', ...linkModules]
const specModules = ['specs.mjs', 'jest-tree.mjs', 'jest-run.mjs', 'fake-timers.mjs', ...testModules]

const nodeTest: NodeRunner = {
  program: 'node-test.mjs',
  modules: testModules,
  libraries: [],
  options: [`--test-reporter=./${harnessFolder}/node-test.mjs`, '--test-reporter-destination=stderr'],
  solutionOptions: [],
  named: /[.-]test\.[cm]?[jt]s$/,
  endings: [''],
  typescript: 'stripped',
}

/** Modules are found without their endings, and what TypeScript compiles is compiled. */
const compiled = {
  solutionOptions: ['--jest'],
  endings: ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '/index.js', '/index.ts', '.tsx', '.jsx'],
  typescript: 'compiled' as const,
}

const jest: NodeRunner = {
  ...compiled,
  program: 'jest.mjs',
  modules: ['jest-globals.mjs', 'jest-collectors.mjs', ...specModules],
  libraries: ['jest-library.mjs', 'timers-library.mjs'],
  options: ['--enable-source-maps'],
  named: /[.-](?:test|spec)\.[cm]?[jt]s$/,
}

/**
 * The runners by name. `node-test`: node:test, TypeScript as Node itself reads it. `tsx`: node:test, TypeScript as tsx reads it. `jest`,
 * `vitest`: with the assertions and mocks of Jest and of Vitest.
 */
export const nodeRunners = {
  'node-test': nodeTest,
  tsx: { ...nodeTest, ...compiled, options: ['--enable-source-maps', ...nodeTest.options] },
  jest,
  vitest: {
    ...jest,
    program: 'vitest.mjs',
    modules: ['vitest-globals.mjs', 'vitest-expect.mjs', 'vitest-tables.mjs', ...specModules],
    libraries: ['vitest-library.mjs', 'timers-library.mjs'],
  },
} satisfies Record<string, NodeRunner>

/** The name of a runner of JavaScript and TypeScript. */
export type NodeRunnerName = keyof typeof nodeRunners
