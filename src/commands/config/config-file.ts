import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { Config } from '../../schema/run/config.ts'
import { notVariableName } from '../../schema/variable-name.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { fileFault } from '../../text/file-fault.ts'
import { readYaml } from '../../yaml/read-fields.ts'
import { configToolProblems } from './config-tools.ts'

/** Fields whose values are names of environment variables. */
const variableFields = ['keyVariable', 'keyInside', 'secrets']

/** Name of the default config file. */
export const configName = 'bench.config.yaml'

/** A parsed config file. */
export interface ConfigFile {
  /** Path, as the user gave it. */
  file: string
  /** SHA-256 of its text. */
  digest: string
  config: Config
  /** Returns the place of a field: `file:line field`. */
  where(...path: PropertyKey[]): string
}

/** Returns what its schema cannot see of a config file that has other mistakes, so that all are told at once. */
function otherProblems(text: string, file: string): Problem[] {
  const raw = readYaml(text, file, z.unknown(), [])
  return raw ? configToolProblems(raw.data, raw.where) : []
}

/** Returns the default config file, if it exists in this folder. */
export const findConfig = () => (existsSync(configName) ? configName : undefined)

/** Reads a config file. Throws `UserError` with all its mistakes. */
export const readConfig = (file: string): ConfigFile => parseConfig(readConfigText(file), file)

/** Returns the text of a config file. Throws `UserError` if it cannot be read. */
export function readConfigText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new UserError({ where: file, what: 'is not UTF-8 text', fix: 'Save it as UTF-8.' })
    throw new UserError({
      where: `--config ${file}`,
      what: `cannot be read: ${fileFault(error)}`,
      fix: 'Create one with bench init, or remove --config.',
    })
  }
}

/** Parses the text of a config file. Throws `UserError` with all its mistakes. */
export function parseConfig(text: string, file: string): ConfigFile {
  const problems: Problem[] = []
  const examples = {
    provider: 'Write a provider that bench agents lists.',
    'run.agents':
      'Write one agent, or a list to run every method with each of them. Agents of single roles stand under `roles:`.',
    ...Object.fromEntries(variableFields.map((field) => [field, notVariableName.fix])),
  }
  const read = readYaml(text, file, Config, problems, examples, variableFields)
  if (!read) throw new UserError([...problems, ...otherProblems(text, file)])
  return { file, digest: sha256(text), config: read.data, where: read.where }
}
