import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'

// Tests of the command line start the built one, so theirs is the only project that builds first.
const cli = (name: string, folder: string) => ({
  test: {
    name,
    include: [`**/${folder}/*.test.ts`],
    // Folders of units may have the same name.
    exclude: [...configDefaults.exclude, '**/dist/**', '**/agents/**'],
    globalSetup: './test/helpers/build.ts',
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
const unit = {
  test: {
    name: 'unit',
    // No test is about time; a busy machine may take its own.
    testTimeout: 60_000,
    include: ['**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      '**/dist/**',
      '**/test/cli/**',
      '**/test/heavy/**',
      '**/test/faults/**',
      '**/test/live/**',
      '**/test/browser/**',
    ],
  },
}

const asked = ['heavy', 'faults', 'live', 'browser']

/** `vitest run` leaves out the heavy tests, the faults on purpose, the real agent CLIs and the browser; `--mode NAME` runs one of these alone. */
export default defineConfig(({ mode }) => ({
  test: {
    projects: asked.includes(mode) ? [cli(mode, mode)] : [unit, cli('cli', 'cli')],
    // Tests wait for the programs that they start as often as they work: two files at a time also where vitest would take
    // one, but for those that load the machine themselves.
    ...(availableParallelism() < 3 && !['heavy', 'faults'].includes(mode) && { maxWorkers: 2 }),
  },
}))
