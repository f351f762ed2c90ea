import type { Problem } from '../../text/errors.ts'
import { findKeyIn, findKeyInAddress, findKeysInWords } from '../../text/hide-keys.ts'
import { isObject } from '../../text/is-object.ts'
import { secretsOf } from '../../text/redact.ts'
import type { ConfigFile } from './config-file.ts'
import { keysOfProgram } from './config-tools.ts'

type File = Pick<ConfigFile, 'config' | 'where'>
type Path = readonly (string | number)[]

interface FoundKey {
  path: Path
  what: string
}

/**
 * Returns a problem for each text of a config file that is a key by its name or its form, wherever it stands: `run.json` would have
 * it, and every message show it. Those of tools are among the tools' problems. Whom `notify` tells is in no file, and may hold one.
 */
export function configKeyProblems({ config, where }: File): Problem[] {
  const { agents = {}, tools: _, notify: __, ...rest } = config
  return [
    ...Object.keys(agents).flatMap((label) => keysOfAgent({ config, where }, label)),
    ...keysIn(rest, []).map(({ path, what }) => keyProblem(where(...path), what, fixOf(path))),
  ]
}

/** Returns those of an agent. Its options of the provider are checked with its settings, which know more names. */
export function keysOfAgent({ config, where }: File, label: string): Problem[] {
  const agent = Object.hasOwn(config.agents ?? {}, label) ? config.agents?.[label] : undefined
  if (typeof agent !== 'object')
    return keysIn(agent, []).map(({ what }) => keyProblem(where('agents', label), what, fixOf([])))
  const { program, providerOptions: _, ...rest } = agent
  const ofProgram = program ? keysOfProgram(program) : []
  return [
    ...keysIn(rest, []).map(({ path, what }) =>
      keyProblem(where('agents', label, ...path), what, fixOf(path)),
    ),
    ...ofProgram.map(({ field, what }) => {
      const variable = field[0] === 'env' ? field[1] : 'the variable from which the program reads it'
      const fix = `Set keyVariable to the environment variable that holds the key, and keyInside to ${variable}.`
      return keyProblem(where('agents', label, 'program', ...field), what, fix)
    }),
  ]
}

const keyProblem = (where: string, what: string, fix: string): Problem => ({
  where,
  what: `has ${what}; a config file must not hold keys`,
  fix,
})

const fixOf = (path: Path): string =>
  path.at(-1) === 'baseUrl'
    ? 'Write the address without it, and set keyVariable to the environment variable that holds the key.'
    : path.includes('options')
      ? 'Remove it, or write none in its place: whatever key a program has, its gateway sends that of the agent.'
      : 'Remove it: keys are read from environment variables.'

/** Finds the keys in plain data. A list is one of words, of which an option says what the next is. */
function keysIn(value: unknown, path: Path): FoundKey[] {
  if (typeof value === 'string') {
    const what = path.at(-1) === 'baseUrl' ? findKeyInAddress(value) : keyIn(value, path)
    return what === undefined ? [] : [{ path, what }]
  }
  if (Array.isArray(value)) {
    const found = findKeysInWords(value.map((one) => (typeof one === 'string' ? one : '')))
    return value.flatMap((one, i) => {
      const what = found[i]
      return what === undefined
        ? typeof one === 'string'
          ? []
          : keysIn(one, [...path, i])
        : [{ path: [...path, i], what }]
    })
  }
  return isObject(value) ? Object.entries(value).flatMap(([name, one]) => keysIn(one, [...path, name])) : []
}

/** Of a variable its name counts, too. */
function keyIn(text: string, path: Path): string | undefined {
  const name = path.at(-2) === 'env' ? String(path.at(-1)) : undefined
  const [named] = name === undefined ? [] : secretsOf({ [name]: text }).secrets
  return named ? `the key ${named.name}` : (findKeyIn(text) ?? findKeysInWords([text])[0])
}
