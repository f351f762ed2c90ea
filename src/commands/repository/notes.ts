import { counted } from '../../reports/words/numbers.ts'
import { shorten } from '../../text/shorten.ts'
import type { FoundTests } from './find-tests.ts'
import type { InstalledPackages } from './installed-packages.ts'
import type { Recognised } from './recognise-runner.ts'

/** Returns how bench runs a command, as notes. */
export function runnerNotes(runner: Recognised | undefined): string[] {
  if (runner === undefined) return []
  const leftOut = runner.leftOut.length > 0 ? `; left out: ${runner.leftOut.join(', ')}` : ''
  if (runner.runner === 'command')
    return runner.command ? [`of the command, ${runner.command.join(' ')} runs the tests${leftOut}`] : []
  const { files, environment } = runner
  const where = environment !== undefined && environment !== 'node' ? `; ${environment} is not there` : ''
  return [
    `bench plays ${playedNames[runner.runner]} on ${counted(files.length, 'test file')}${leftOut}${where}`,
  ]
}

const playedNames = {
  'node-test': 'node --test',
  tsx: 'node --test with tsx',
  jest: 'Jest',
  vitest: 'Vitest',
} as const

/** Returns which packages were taken, as notes. */
export const packageNotes = ({ names, leftOut }: InstalledPackages): string[] => [
  ...(names.length > 0
    ? [
        `takes ${counted(names.length, 'package')} of node_modules that tests need: ${shorten(names.join(', '), 200)}`,
      ]
    : []),
  ...(leftOut.length > 0 ? [`packages that are left out: ${shorten(leftOut.join(', '), 300)}`] : []),
]

/** Returns the tests that were found, as a text. */
export function foundText(found: FoundTests): string {
  if ('count' in found)
    return `The command names no test, so the task takes its exit code and the count that it prints: ${found.count}.`
  const { failToPass, passToPass, flaky, leftOut } = found
  return [
    `fail before, pass after (failToPass): ${failToPass.length}`,
    ...failToPass.slice(0, 10).map((name) => `  ${name}`),
    ...(failToPass.length > 10 ? [`  … and ${failToPass.length - 10} more, in task.yaml`] : []),
    `pass before and after (passToPass): ${passToPass.length}`,
    ...(leftOut.length > 0 ? ['do not count:', ...leftOut.map((line) => `  ${line}`)] : []),
    ...(flaky.length > 0 ? [`left out, since two equal runs differ: ${flaky.join(', ')}`] : []),
  ].join('\n')
}
