import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Tests of the command line start the built one, so theirs is the only project that builds first.
const cli = (name: string, folder: string) => ({
  test: {
    name,
    include: [`**/test/${folder}/**/*.test.ts`, ...(name === 'nightly' ? ['**/*.law.test.ts'] : [])],
    // Laws try far more cases in the night: see test/helpers/house/level.ts.
    ...(name === 'nightly' && { env: { TEST_LEVEL: 'night' } }),
    exclude: [...configDefaults.exclude, '**/dist/**'],
    globalSetup: './test/helpers/house/build.ts',
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is tested runs in processes of its own; to load the tests' own modules anew took as long as a whole file of them.
    isolate: name !== 'cli',
  },
})

/**
 * Tests that put something in the place of a module, look at the memory of their process, or compile so many regular expressions that V8
 * no longer optimises any: no other file may share their process.
 */
const alone = '**/*.alone.test.ts'

const ofUnits = {
  // No test is about time; a busy machine may take its own.
  testTimeout: 60_000,
  exclude: [
    ...configDefaults.exclude,
    '**/dist/**',
    '**/test/cli/**',
    '**/test/heavy/**',
    '**/test/faults/**',
    '**/test/nightly/**',
    '**/test/live/**',
    '**/test/browser/**',
  ],
}

const units = [
  {
    test: {
      ...ofUnits,
      name: 'unit',
      include: ['**/*.test.ts'],
      exclude: [...ofUnits.exclude, alone],
      // To load the modules anew for each of some 200 files took a quarter of the time of all tests.
      isolate: false,
    },
  },
  { test: { ...ofUnits, name: 'alone', include: [alone] } },
]

/** Tests that start programs take longest: begun first, they leave no worker alone at the end. A worker changes projects once. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ project }: TestSpecification) =>
      project.name === 'unit' ? 2 : project.name === 'alone' ? 1 : 0
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/** The texts that the tests of a room compare stand beside them, in test/ROOM/messages. */
function messagesOf(path: string, extension: string) {
  const [room = '', ...names] = relative(join(import.meta.dirname, 'test'), path).split('/')
  return join(
    import.meta.dirname,
    'test',
    room,
    'messages',
    names.join('-').replace(/\.test\.ts$/, '') + extension,
  )
}

const asked = ['heavy', 'faults', 'nightly', 'live', 'browser']

// Where a machine adds certificates of its own, Node 20 reads them at each of some four hundred starts, longer than all else
// that it does then; but no test goes further than this machine.
delete process.env.NODE_EXTRA_CA_CERTS

/** `vitest run` leaves out the heavy tests, the faults on purpose, the laws of the night, the real agent CLIs and the browser; `--mode NAME` runs one of these alone. */
export default defineConfig(({ mode }) => ({
  test: {
    reporters: ['default', './test/helpers/house/last-line.ts'],
    sequence: { sequencer: LongestFirst },
    resolveSnapshotPath: messagesOf,
    projects: asked.includes(mode) ? [cli(mode, mode)] : [...units, cli('cli', 'cli')],
    // Tests wait for the programs that they start as often as they work: two files at a time also where vitest would take
    // one, but for those that load the machine themselves.
    ...(availableParallelism() < 3 && !['faults', 'nightly'].includes(mode) && { maxWorkers: 2 }),
  },
}))
