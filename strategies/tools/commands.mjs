// How each tool is started: test runners print their usual output, and write JUnit XML into a file beside it.

/** In milliseconds. */
const day = 86_400_000

/**
 * The commands of test runners by name. `programs` has the paths of `node`, `python` and the tool's own start file, and a reporter of vitest; `more` are
 * further words, such as files.
 */
export const testCommands = {
  // One file at a time, and no test that is shown for being slow: two runs print the same in the same order.
  vitest: (junit, { vitest, reporter = 'junit' }, more = []) => [
    ...[...vitest, 'run', '--reporter=default', `--reporter=${reporter}`],
    ...['--no-file-parallelism', `--slowTestThreshold=${day}`, `--outputFile=${junit}`, ...more],
  ],
  'node:test': (junit, { node, loader }, more = []) => [
    ...[node, ...(loader === undefined ? [] : ['--no-warnings', `--import=${loader}`])],
    ...['--test', '--test-concurrency=1', '--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=junit', `--test-reporter-destination=${junit}`, ...more],
  ],
  // The older family of the format names the file and the line of each test. Folders of its own are numbered by run. An empty
  // cache makes runs equal, and leaves options such as `--lf` known.
  pytest: (junit, { python }, more = []) => [
    ...[python, '-m', 'pytest', '-p', 'no:randomly'],
    ...[
      '-o',
      `cache_dir=${junit}.cache`,
      '-o',
      'junit_family=xunit1',
      `--junitxml=${junit}`,
      `--basetemp=${junit}.tmp`,
      ...more,
    ],
  ],
}

/** The commands of build checkers by name. */
export const buildCommands = {
  // `--build` is only known as the first word.
  tsc: ({ tsc }, more) => [...tsc, ...more, ...(more.includes('--pretty') ? [] : ['--pretty', 'false'])],
  vite: ({ vite }, more) => [...vite, 'build', ...more],
}
