import { splitCommand } from '../../base/command-words.ts'
import type { Files } from '../../schema/task.ts'

/** A simple command of a test script. */
export interface SimpleCommand {
  /** Its words, without what only sets variables or measures coverage. */
  words: readonly string[]
  /** The variables that it sets, as `NAME=value`. */
  variables: readonly string[]
  /** The program before it, such as `c8`, that needs a package. */
  wrapper?: string
}

/**
 * Returns the simple commands that a test command starts, in order. Scripts of `package.json` are followed, also through `npm run`,
 * `pnpm` and `yarn`.
 */
export function simpleCommands(text: string, files: Files): SimpleCommand[] {
  return follow(text, scriptsOf(files), [])
}

function scriptsOf(files: Files): Readonly<Record<string, string>> {
  try {
    const { scripts } = JSON.parse(files['package.json'] ?? '{}') as { scripts?: Record<string, string> }
    return scripts ?? {}
  } catch {
    return {}
  }
}

function follow(
  text: string,
  scripts: Readonly<Record<string, string>>,
  seen: readonly string[],
  around: Pick<SimpleCommand, 'variables' | 'wrapper'> = { variables: [] },
): SimpleCommand[] {
  return partsOf(text).flatMap((part): SimpleCommand[] => {
    const split = splitCommand(part, true)
    const command = unwrapped({ ...around, words: 'words' in split ? split.words : [] })
    const called = calledScripts(command.words, scripts)
    if (called === undefined) return command.words.length === 0 ? [] : [command]
    const { names, more } = called
    return names.flatMap((name) =>
      seen.includes(name) ? [] : follow(`${scripts[name]} ${more}`, scripts, [...seen, name], command),
    )
  })
}

/** Splits a command at `&&`, `||`, `;`, `|` and `&` outside of quotes. What it does with its output is left out. */
function partsOf(text: string): string[] {
  const plain = text.replaceAll(/\s\d?>>?(?:&\d|\s*\S+)/g, ' ')
  const parts = plain.match(/(?:[^"'\\&|;\n]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g) ?? []
  return parts.map((part) => part.trim()).filter(Boolean)
}

/** Programs that start another with the rest of their words, with their options that take a word. */
const wrappers: Readonly<Record<string, readonly string[]>> = {
  'cross-env': [],
  'cross-env-shell': [],
  env: [],
  c8: ['-r', '--reporter', '-x', '--exclude', '-n', '--include', '--lines', '--branches', '--functions'],
  nyc: ['-r', '--reporter', '-x', '--exclude', '-n', '--include'],
  npx: ['-p', '--package'],
  bunx: [],
  time: [],
}

function unwrapped({ words, variables, ...rest }: SimpleCommand): SimpleCommand {
  const from = words.findIndex((word) => !/^\w+=/.test(word))
  const set = [...variables, ...words.slice(0, from === -1 ? words.length : from)]
  const left = from === -1 ? [] : words.slice(from)
  const [program = '', second = ''] = left
  if (managers.has(program) && ['exec', 'dlx', 'x'].includes(second))
    return unwrapped({
      ...rest,
      variables: set,
      words: left.slice(left[2] === '--' ? 3 : 2),
      wrapper: program,
    })
  const taking = Object.hasOwn(wrappers, program) ? wrappers[program] : undefined
  if (taking === undefined) return { ...rest, words: left, variables: set }
  let at = 1
  while (left[at]?.startsWith('-')) at += taking.includes(left[at] as string) ? 2 : 1
  return unwrapped({ ...rest, variables: set, words: left.slice(at), wrapper: program })
}

const managers = new Set(['npm', 'pnpm', 'yarn', 'bun'])

/** Returns the scripts that a command of a package manager calls, and what it adds to them; undefined for another command. */
function calledScripts(
  [program = '', ...rest]: readonly string[],
  scripts: Readonly<Record<string, string>>,
): { names: string[]; more: string } | undefined {
  if (program === 'run-s' || program === 'npm-run-all' || program === 'run-p')
    return { names: rest.flatMap((word) => matching(word, scripts)), more: '' }
  if (!managers.has(program)) return undefined
  const words = rest.filter((word, i) => !word.startsWith('-') || rest.indexOf('--') < i)
  const [first = '', second = ''] = words
  const name = ['run', 'run-script'].includes(first)
    ? second
    : first === 't' || first === 'tst'
      ? 'test'
      : first
  const names = matching(name, scripts)
  if (names.length === 0) return undefined
  const from = rest.indexOf(name === 'test' && first !== 'test' ? first : name) + 1
  const more = rest.slice(from).filter((word) => word !== '--')
  const whole = names.flatMap((one) => [`pre${one}`, one, `post${one}`]).filter((one) => one in scripts)
  return { names: whole, more: more.map(quoted).join(' ') }
}

const quoted = (word: string) => (/^[\w./:=@,+-]+$/.test(word) ? word : `'${word}'`)

/** Names of scripts that a word means: one, or those of a pattern such as `test:*` or pnpm's `/^test:/`. */
function matching(word: string, scripts: Readonly<Record<string, string>>): string[] {
  if (word in scripts) return [word]
  const [, source] = /^\/(.+)\/$/.exec(word) ?? []
  const names = Object.keys(scripts)
  if (source !== undefined) return names.filter((name) => new RegExp(source).test(name))
  if (!word.includes('*')) return []
  const pattern = new RegExp(`^${word.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '.*')}$`)
  return names.filter((name) => pattern.test(name))
}
