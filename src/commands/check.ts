import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { packageRoot } from '../base/package-root.ts'
import { safeLine } from '../reports/words/safe-text.ts'
import { machineJsonSchema } from '../schema/machine/machine-file.ts'
import { Config } from '../schema/run/config.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { isObject } from '../text/is-object.ts'
import { didYouMean } from '../text/near-word.ts'
import { parseYaml } from '../yaml/parse-yaml.ts'
import { configAgentProblems } from './agents/config-agents.ts'
import { type ConfigFile, parseConfig, readConfig } from './config/config-file.ts'
import { builtInStrategies, shippedDocuments } from './methods/built-in-strategies.ts'
import {
  describeDocument,
  documentFields,
  type NamedDocument,
  readDocumentFile,
} from './methods/documents.ts'
import { configTaskProblems } from './trust/config-tasks.ts'
import { documentPowers } from './trust/document-powers.ts'
import { configPowers, takenText } from './trust/powers.ts'

/** `bench check FILES`: reports all mistakes of documents of any kind. `bench check --schema` prints the JSON Schema of machines. */
export default async function check(
  files: readonly string[],
  { schema = false }: { schema?: boolean },
): Promise<number> {
  const wrong = optionProblem(files, schema)
  if (wrong) throw new UserError(wrong)
  if (schema) {
    process.stdout.write(`${JSON.stringify(machineJsonSchema(), null, 2)}\n`)
    return 0
  }
  const problems: Problem[] = []
  for (const file of files) {
    const found = checkFile(file, problems)
    if (found) process.stdout.write(`${safeLine(file)}: no mistakes; ${found.holds}\n${found.takes}`)
  }
  if (problems.length > 0) throw new UserError(problems)
  return 0
}

function optionProblem(files: readonly string[], schema: boolean): Problem | undefined {
  if (schema && files.length > 0)
    return {
      where: '--schema',
      what: `conflicts with ${files[0]}: the JSON Schema is the same for all workflows`,
      fix: 'Leave one of them out.',
    }
  if (schema || files.length > 0) return undefined
  return {
    where: 'check',
    what: 'requires a document',
    fix: 'Write bench check FILE, or the name of a shipped document; --schema needs none.',
  }
}

interface Checked {
  holds: string
  takes: string
}

/** Returns what a document without mistakes holds, and a line for each thing that it takes. A file that cannot be read does not keep the others from being checked. */
function checkFile(file: string, problems: Problem[]): Checked | undefined {
  try {
    if (isConfigName(file)) return checkConfig(readConfig(file), problems)
    const named = findDocument(file)
    if (named) {
      const text = readDocumentFile(named.path)
      if (isConfigText(text)) return checkConfig(parseConfig(text, file), problems)
      const holds = describeDocument(named, text, problems)
      return holds === undefined ? undefined : { holds, takes: takenText(documentPowers(text, named.shown)) }
    }
    problems.push(unknownDocument(file))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    problems.push(...error.problems)
  }
  return undefined
}

const isConfigName = (file: string) => /^bench\.config\.(?:ya?ml|json)$/.test(basename(file))

/** Whether a text is that of a config file, which may have any name: it has its fields, and none that only documents have. */
function isConfigText(text: string): boolean {
  const { data } = parseYaml(text)
  if (!isObject(data)) return false
  const fields = Object.keys(data)
  const isOfConfig = (field: string) => Object.hasOwn(Config.shape, field)
  return fields.some(isOfConfig) && fields.every((one) => isOfConfig(one) || !documentFields.includes(one))
}

function checkConfig(config: ConfigFile, problems: Problem[]): Checked | undefined {
  const wrong = [...configTaskProblems(config), ...configAgentProblems(config)]
  problems.push(...wrong)
  return wrong.length > 0 ? undefined : { holds: 'a config file', takes: takenText(configPowers(config)) }
}

const isPath = (file: string) => /[/\\]|\.(?:ya?ml|json)$/.test(file)

/** Returns a shipped document, or else a file. A name with a path or an ending is that of a file. */
function findDocument(file: string): NamedDocument | undefined {
  const shipped = isPath(file) ? undefined : allShipped().find(({ name }) => name === file)
  if (shipped) return shipped
  return isPath(file) || existsSync(file) ? { shown: file, path: file } : undefined
}

const allShipped = (): (NamedDocument & { name: string })[] =>
  builtInStrategies().flatMap(({ strategy }) =>
    shippedDocuments(strategy, true).map(({ name, file }) => ({
      ...{ name, shown: file },
      path: join(packageRoot(), 'strategies', strategy.name, file),
    })),
  )

function unknownDocument(file: string): Problem {
  const names = allShipped().map(({ name }) => name)
  return {
    where: `check ${file}`,
    what: 'there is no such file, and no shipped document has this name',
    fix: didYouMean(file, names) ?? `Shipped: ${names.join(', ')}; name a file by its path.`,
  }
}
