// How each test runner is started so that it prints its usual output, and writes JUnit XML into a file beside it.

/** The commands by the runner's name. `programs` has the paths of `node`, `python` and, for vitest, of its start file. */
export const testCommands = {
  vitest: (junit, { node, vitest }) => [
    ...[node, vitest, 'run', '--reporter=default', '--reporter=junit'],
    `--outputFile.junit=${junit}`,
  ],
  'node:test': (junit, { node }) => [
    ...[node, '--test', '--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=junit', `--test-reporter-destination=${junit}`],
  ],
  // The older family of the format names the file and the line of each test.
  pytest: (junit, { python }) => [
    ...[python, '-m', 'pytest', '-p', 'no:cacheprovider'],
    ...['-o', 'junit_family=xunit1', `--junitxml=${junit}`],
  ],
}

/** The commands of the build checkers, as `testCommands`. */
export const buildCommands = {
  // `--build` is only known as the first word.
  tsc: ({ node, tsc }, args = ['--noEmit']) => [
    node,
    tsc,
    ...args,
    ...(args.includes('--pretty') ? [] : ['--pretty', 'false']),
  ],
  vite: ({ node, vite }, args = []) => [node, vite, 'build', ...args],
}
