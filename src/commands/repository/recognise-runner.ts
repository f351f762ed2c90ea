import type { NodeRunnerName } from '../../graders/test-run/node-runners.ts'
import { counted } from '../../reports/words/numbers.ts'
import type { Files } from '../../schema/task.ts'
import { jestFiles, nodeTestFiles, type RunnerFiles, vitestFiles } from './runner-files.ts'
import { type SimpleCommand, simpleCommands } from './test-script.ts'

/** How bench runs the tests of a command. */
export type Recognised =
  /** By a runner of its own: the types are stripped by bench, and the runner's package is not needed. */
  | ({ runner: NodeRunnerName; leftOut: string[] } & RunnerFiles)
  /** By the command as it is, or by the part of it that runs the tests. */
  | ({ runner: 'command'; command?: string[]; leftOut: string[] } & RunnerFiles)

/** Returns how bench runs the tests of a command; undefined: as it is, by a program that bench does not know. `files` are those after the commit. */
export function recogniseRunner(text: string, files: Files): Recognised | undefined {
  const commands = simpleCommands(text, files)
  const known = commands.map((command) => ({ command, kind: kindOf(command) }))
  const first = known.find(({ kind }) => kind !== undefined)
  if (first?.kind === undefined) return undefined
  const { command } = first
  const leftOut = leftOutOf(commands, command)
  const { kind, options } = first.kind
  if (kind === 'vitest') return { runner: 'vitest', leftOut, ...vitestFiles(options, files) }
  if (kind === 'jest') return { runner: 'jest', leftOut, ...jestFiles(options, files) }
  const found = nodeTestFiles(options, files)
  if (kind !== 'plain') return { runner: kind, leftOut, ...found }
  if (found.files.some((path) => /\.[cm]?ts$/.test(path))) return { runner: 'node-test', leftOut, ...found }
  if (commands.length === 1 && command.wrapper === undefined)
    return { runner: 'command', leftOut: [], ...found }
  const set = command.variables.length > 0 ? ['env', ...command.variables] : []
  return { runner: 'command', command: [...set, ...command.words], leftOut, ...found }
}

/** Programs that start others, by what they start. */
const aliases: Readonly<Record<string, { kind: 'vitest' | 'tsx'; from: number }>> = {
  bnt: { kind: 'tsx', from: 1 },
  'ts-scripts': { kind: 'vitest', from: 2 },
}

interface Kind {
  kind: 'vitest' | 'jest' | 'tsx' | 'node-test' | 'plain'
  /** What follows the program. */
  options: readonly string[]
}

function kindOf({ words }: SimpleCommand): Kind | undefined {
  const [first = '', ...rest] = ['pnpm', 'yarn', 'bun'].includes(words[0] ?? '') ? words.slice(1) : words
  const program = programOf(first)
  if (program === 'vitest' || program === 'jest') return { kind: program, options: rest }
  const alias = Object.hasOwn(aliases, program) ? aliases[program] : undefined
  if (alias && (alias.kind !== 'vitest' || rest[0] === 'test'))
    return { kind: alias.kind, options: rest.slice(alias.from - 1) }
  if (program === 'tsx') return rest.includes('--test') ? { kind: 'tsx', options: rest } : undefined
  if (program !== 'node') return undefined
  const script = rest.findIndex((word) =>
    /(?:^|\/)node_modules\/(?:\.bin\/|vitest\/|jest(?:-cli)?\/)/.test(word),
  )
  if (script !== -1)
    return kindOf({ words: [programOf(rest[script] as string), ...rest.slice(script + 1)], variables: [] })
  if (!rest.some((word) => word === '--test')) return undefined
  const text = rest.join(' ')
  if (/--experimental-transform-types/.test(text) || loaders.test(text)) return { kind: 'tsx', options: rest }
  return { kind: /--experimental-strip-types/.test(text) ? 'node-test' : 'plain', options: rest }
}

/** Options that load something which reads TypeScript. */
const loaders =
  /(?:--import|--loader|--experimental-loader|--require|-r)[= ](?:tsx|ts-node|@swc-node|@swc\/|jiti|esbuild-register|esm-loader|@esbuild-kit|sucrase|amaro|tsimp|@oxc-node|ts-blank-space)/

/** Returns the name of the program in a path such as `node_modules/jest/bin/jest.js` or `./node_modules/.bin/vitest`. */
const programOf = (path: string) => (path.split('/').at(-1) ?? '').replace(/\.[cm]?js$/, '')

function leftOutOf(commands: readonly SimpleCommand[], taken: SimpleCommand): string[] {
  const others = commands.filter((one) => one !== taken).map(({ words }) => words.join(' '))
  return [...new Set([...others, ...taken.variables])]
}

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
