import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { counted } from '../../reports/words/numbers.ts'
import { digestFolder } from '../../sandbox/folders/digest-folder.ts'
import { isKeyPath, namedFileProblem } from '../../sandbox/folders/named-file.ts'
import { isInside } from '../../sandbox/tools/toolchain.ts'
import type { Config } from '../../schema/run/config.ts'
import type { Documents, Strategy } from '../../strategy.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { nameFilesBeside } from '../../user-code/name-files.ts'
import { folderOf } from '../../workflows/document/read-document.ts'
import { readGraphDocument } from '../../workflows/document/read-graph.ts'
import { readMachine } from '../../workflows/document/read-machine.ts'
import { readWorkflow } from '../../workflows/waves/workflow-file.ts'
import { parseYaml } from '../../yaml/parse-yaml.ts'
import { agentNameProblem, folderAgentProblem } from '../config/agent-names.ts'

/** What strategies read while options are resolved. */
export interface DocumentReads {
  /** The texts by path, each read once, so that what was looked at is what is used. */
  texts: Map<string, string | undefined>
  /** Whether the user typed a path. One of the config file has the rule of files that documents name. */
  isTyped(path: string): boolean
}

/** The files that `resolve` of a strategy can read: the user's files, and those in the folder of a built-in strategy. */
export function documentsFor(
  { name }: Pick<Strategy, 'name'>,
  isBuiltIn: boolean,
  agents?: Config['agents'],
  { texts, isTyped }: DocumentReads = { texts: new Map(), isTyped: () => true },
): Documents {
  const folder = join(packageRoot(), 'strategies', name)
  return {
    read(path, below = isTyped(path) ? undefined : '.') {
      const full = join(below ?? '', path)
      if (!texts.has(full))
        texts.set(full, below === undefined ? readIfThere(path) : readNamedFile(path, below))
      return texts.get(full)
    },
    list: filesIn,
    folder(path) {
      // Of a config file, too: no program starts without the user's word, which names the folder.
      const problem = existsSync(path) ? shownFolderProblem(path) : undefined
      if (problem) throw new UserError({ where: 'option folder', ...problem })
      try {
        return digestFolder(path)
      } catch (error) {
        throw new UserError({
          where: 'option folder',
          what: `${path} cannot be read whole: ${(error as Error).message}`,
          fix: 'Name a folder that holds the application and its packages alone.',
        })
      }
    },
    shipped: Object.fromEntries(
      (isBuiltIn ? shippedFiles(folder) : []).map((file) => [file, readFileSync(join(folder, file), 'utf8')]),
    ),
    agentProblem: (name) => agentNameProblem(name, agents),
  }
}

/** Returns the options of a strategy with the documents that they name, which may name `agents`. Throws `UserError` with all mistakes in these. */
export const resolveOptions = <Options>(
  strategy: Strategy,
  options: Options,
  isBuiltIn: boolean,
  agents?: Config['agents'],
  reads?: DocumentReads,
): Options =>
  strategy.resolve ? strategy.resolve(options, documentsFor(strategy, isBuiltIn, agents, reads)) : options

/** Checks a folder before any of it is read. Returns why a program may not read the whole of it; undefined if it may. */
function shownFolderProblem(path: string): Omit<Problem, 'where'> | undefined {
  const place = realpathSync(path)
  if (isInside(realpathSync('.'), place))
    return {
      what: `the program may read all of ${path}, which holds the working folder, where runs and tasks are`,
      fix: 'Put the application into a folder of its own.',
    }
  return isKeyPath(place)
    ? { what: `${path} is named like a place of keys`, fix: 'Put the application into a folder of its own.' }
    : undefined
}

const shippedFiles = (folder: string): string[] => [
  ...(filesIn(folder) ?? []),
  ...(filesIn(join(folder, 'personas')) ?? []).map((file) => `personas/${file}`),
]

function filesIn(folder: string): string[] | undefined {
  if (!existsSync(folder)) return undefined
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}

/** A document that a person names. */
export interface NamedDocument {
  /** Its name in messages. */
  shown: string
  path: string
}

const kinds = {
  machine: ['states', 'orchestrator', 'personas', 'circuit_breaker'],
  workflow: ['stages'],
  graph: ['version', 'providers', 'tools', 'tasks', 'workflows', 'run'],
} as const

/** The fields by which a document of any kind is known. */
export const documentFields: readonly string[] = Object.values(kinds).flat()

/** Reads the text of a document of any kind. Adds all mistakes to `problems`, or returns what it holds, such as `5 states, 3 agents`. */
export function describeDocument(
  { shown, path }: NamedDocument,
  text: string,
  problems: Problem[],
): string | undefined {
  const around = { agentProblem: folderAgentProblem }
  const kind = documentKind(text)
  if (kind === 'machine') {
    const read = (file: string) => readNamedFile(file, folderOf(path))
    const machine = readMachine(text, shown, problems, { ...around, read })?.machine
    return (
      machine && counts([machine.states, 'state'], [machine.agents, 'agent'], [machine.personas, 'persona'])
    )
  }
  if (kind === 'workflow') {
    const workflow = readWorkflow(text, shown, problems)
    return workflow && counts([workflow.stages, 'stage'], [workflow.agents, 'agent'])
  }
  if (kind === 'graph') {
    const graph = readGraphDocument(text, shown, problems, {
      ...around,
      read: (file) => readNamedFile(file, '.'),
    })
    return (
      graph &&
      counts([graph.workflows, 'workflow'], [graph.document.tasks, 'task'], [graph.document.agents, 'agent'])
    )
  }
  problems.push(unknownKind(shown, text))
  return undefined
}

/** Returns the kind of a document by its fields, even if it has mistakes. */
export function documentKind(text: string): keyof typeof kinds | undefined {
  const { data } = parseYaml(text)
  const isMap = typeof data === 'object' && data !== null && !Array.isArray(data)
  const has = (field: string) =>
    isMap ? Object.hasOwn(data, field) : new RegExp(`^[{ \\t]*["']?${field}["']?[ \\t]*:`, 'm').test(text)
  const names = Object.keys(kinds) as (keyof typeof kinds)[]
  return names
    .map((name) => ({ name, count: kinds[name].filter(has).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)[0]?.name
}

function unknownKind(where: string, text: string): Problem {
  const { data, faults, placeOf } = parseYaml(text)
  const [fault] = faults
  const isEmpty = (data ?? null) === null && !/^[^#\s]/m.test(text)
  // Of prose, what is wrong with it as YAML helps nobody.
  const isData = /^\s*(?:[{[]|[-\w"']+:(?:\s|$))/.test(text)
  const why = fault && isData ? `: at ${placeOf(fault.at, true)} it ${fault.what}` : ''
  return {
    where,
    what: isEmpty ? 'is empty' : `is no document that bench knows${why}`,
    fix: 'Write states and personas, or stages, or tasks and workflows; see bench check --schema and bench plan --schema.',
  }
}

const counts = (...all: [object, noun: string][]): string =>
  all.map(([things, noun]) => counted(Object.keys(things).length, noun)).join(', ')

/** Most bytes that are read of a document. Its reader refuses far smaller ones, with the limit. */
const mostBytes = 16_000_000

/** Reads a document that a person names. Throws `UserError` for anything that is not a file of UTF-8 text, such as a folder. */
export function readDocumentFile(file: string): string {
  let opened: number | undefined
  try {
    // Opening one waits for a writer, and nothing can stop it. A shell's `<(command)` has its writer already.
    if (statSync(file).isFIFO() && !/^\/(?:dev|proc)\//.test(file)) throw wrong(file, 'is a pipe, not a file')
    opened = openSync(file, 'r')
    if (fstatSync(opened).isDirectory()) throw wrong(file, 'is a folder, not a file')
    return decode(file, readBytes(file, opened))
  } catch (error) {
    if (error instanceof UserError) throw error
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
    throw isMissing
      ? wrong(
          file,
          'there is no such file',
          `${nameFilesBeside(file)} Paths are relative to the working folder.`,
        )
      : wrong(file, `cannot be read: ${(error as Error).message}`)
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

const readIfThere = (path: string): string | undefined =>
  existsSync(path) ? readDocumentFile(path) : undefined

/** Reads a file that a document names, within its folder; undefined if there is none. Throws `UserError` for one outside, and for files of keys. */
export function readNamedFile(path: string, folder: string): string | undefined {
  const shown = folder === '.' ? undefined : 'the folder of its document'
  const problem = namedFileProblem(folder, path, shown)
  if (problem) throw new UserError({ where: path, ...problem })
  return readIfThere(join(folder, path))
}

/** Reads to the end, since the size of a pipe or a device is unknown, but no more than a document may have. */
function readBytes(file: string, opened: number): Uint8Array {
  const chunks: Uint8Array[] = []
  for (let size = 0; size <= mostBytes; ) {
    const chunk = new Uint8Array(64_000)
    const count = readSync(opened, chunk)
    if (count === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, count))
    size += count
  }
  throw wrong(file, `has more than ${mostBytes / 1e6} MB`)
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    if (!bytes.includes(0)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Reported below.
  }
  throw wrong(file, 'is not UTF-8 text')
}

const wrong = (where: string, what: string, fix = 'Give the path of a text file.') =>
  new UserError({ where, what, fix } satisfies Problem)
