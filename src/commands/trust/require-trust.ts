import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { readToolFiles } from '../../agent-tools/mcp/read-tool-files.ts'
import { cacheFolder, writeCacheFile } from '../../base/cache-folder.ts'
import { makeFolders } from '../../base/make-folders.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import { canonicalJson, digest, sha256 } from '../../text/canonical-json.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { isPlainFile, readSources } from '../../user-code/read-sources.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { builtInStrategies } from '../methods/built-in-strategies.ts'
import { documentsFor } from '../methods/documents.ts'
import { confirm } from '../terminal/say.ts'
import { documentPowers } from './document-powers.ts'
import { agentPowers, configPowers, isAsked, type Power, powerLines, toolPowers } from './powers.ts'

/** What was allowed in this process: a command checks a run more than once, and an answer may have no place where it is remembered. */
const allowed = new Set<string>()

/** Returns the files that take something the user has not allowed. */
export const untrusted = (files: readonly ForeignFile[]): ForeignFile[] =>
  files.filter((file) => {
    if (!file.powers.some(isAsked) || isShipped(file)) return false
    const key = trustKey(file)
    return !allowed.has(key) && !isRemembered(key)
  })

interface Asking {
  /** `--trust-code` was given. */
  trusted: boolean
  signal: AbortSignal
  /** What is said of the files. */
  about?: string
  /** Whether a person at the terminal is asked; default true. */
  asks?: boolean
}

/**
 * Checks that the user allows what files take. They were allowed before, with the same content, or are shipped, or are allowed now:
 * with `--trust-code`, which counts for this call, or at the terminal, which is remembered. Else throws `UserError`.
 */
export async function requireTrust(
  files: readonly ForeignFile[],
  { trusted, signal, about, asks = true }: Asking,
): Promise<void> {
  if (trusted) return
  const asked = untrusted(files)
  if (asked.length === 0) return
  const keys = asked.map((file) => ({ file, key: trustKey(file) }))
  const problems = asked.map((file): Problem => trustProblem(file, about))
  if (!asks || !process.stdin.isTTY || !process.stderr.isTTY) throw new UserError(problems)
  process.stderr.write(`${problems.map(({ where, what }) => `${where} ${what}`).join('\n')}\n`)
  const subject = asked.length === 1 ? 'this file' : `these ${counted(asked.length, 'file')}`
  if (!(await confirm(`Allow that to ${subject}?`, signal))) throw new UserError(problems)
  for (const { file, key } of keys) {
    if (trustKey(file) !== key) throw new UserError(changedProblem(file))
    allowed.add(key)
    remember(key, `${file.name}\n${powerLines(file.powers.filter(isAsked)).join('\n')}\n`)
  }
}

const changedProblem = ({ name }: ForeignFile): Problem => ({
  where: safeLine(name),
  what: 'or a file that it names has changed while you were asked',
  fix: 'Run the command again when nothing writes to it.',
})

const trustProblem = ({ name, powers }: ForeignFile, about = 'takes what needs your word'): Problem => ({
  where: safeLine(name),
  what: [`${about}:`, ...powerLines(powers.filter(isAsked))].join('\n'),
  fix: 'Read it and the files that it names, then add --trust-code, or run the command at a terminal and answer.',
})

/** Whether the user allowed a digest before. The answer is a file in the user's own folder, which nobody else may write. */
export function isRemembered(key: string): boolean {
  const file = ownCacheFile(key)
  return file !== undefined && isOwnFile(file)
}

/** Remembers that the user allowed a digest; `lines` say what was allowed, for a person who looks. Does nothing without a folder for it. */
export function remember(key: string, lines: string): void {
  const file = ownCacheFile(key)
  if (file !== undefined) writeOwnFile(file, lines)
}

/** A file that may be somebody else's, with all that it takes. */
export interface ForeignFile {
  /** Its name in messages. */
  name: string
  /** Its text, and those of the files that were read with it: the same that are used. */
  texts: readonly string[]
  powers: readonly Power[]
}

/** Returns a config file as one that may be somebody else's. Of its agents those whose labels `has` accepts. */
export const foreignConfig = (config: ConfigFile, has?: (label: string) => boolean): ForeignFile => ({
  ...{ name: config.file, texts: [config.digest], powers: configPowers(config, has) },
})

/** Returns the documents of a method as one file; undefined if it has none, or only shipped ones. */
export function foreignDocument(
  { strategy: name, options }: Method,
  strategies: readonly KnownStrategy[],
  texts: ReadonlyMap<string, string>,
): ForeignFile | undefined {
  const [first] = texts.keys()
  if (first === undefined) return undefined
  const { strategy } = strategies.find((one) => one.strategy.name === name) ?? {}
  const written = [...texts].flatMap(([path, text]) => documentPowers(text, path))
  // A strategy of the user's own may read documents that only it understands.
  const named = [
    ...(strategy?.agentsOf?.(options) ?? []).flatMap(({ name, settings = {}, where }) =>
      agentPowers(name, settings, () => where),
    ),
    ...Object.entries(strategy?.toolsOf?.(options) ?? {}).flatMap(([id, tool]) =>
      toolPowers(tool, (field) => `${first} tools.${id}.config.${field}`),
    ),
  ]
  const isNew = ({ kind, value }: Power) =>
    kind !== 'agent' && !written.some((one) => one.kind === kind && one.value === value)
  return { name: first, texts: [...texts.values()], powers: [...written, ...named.filter(isNew)] }
}

/**
 * Returns the digest of a file and of every file that it names. Code is what it is with what lies beside it, such as its packages, so
 * its folder counts, too.
 */
export function trustKey({ texts, powers }: ForeignFile): string {
  const asked = powers.filter(isAsked)
  const isCode = asked.some(({ kind }) => kind === 'module' || kind === 'program')
  const taken = asked.map(({ kind, value, files = [] }) => [kind, value, files.map(contentOf)])
  return sha256(canonicalJson([texts.map(sha256), taken, isCode ? realpathSync(process.cwd()) : '']))
}

/** Whether a file is one of this package, wherever it lies, and names no other file. */
export function isShipped({ texts, powers }: ForeignFile): boolean {
  const shipped = builtInStrategies().flatMap(({ strategy }) =>
    Object.values(documentsFor(strategy, true).shipped),
  )
  return texts.every((text) => shipped.includes(text)) && powers.every(({ files = [] }) => files.length === 0)
}

/** Returns the digest of what a word names, if that is a file or a folder: of a module with what it imports by a relative path. */
function contentOf(word: string): string {
  const path = resolve(word)
  if (isPlainFile(path)) {
    const isScript = /\.[cm]?[jt]sx?$/.test(path)
    return isScript ? digest(readSources(path)) : sha256(readFileSync(path))
  }
  return digest(readToolFiles(process.cwd(), [word]).digests)
}

/**
 * Returns the path of a file that says what the user did or allowed, in a folder of the cache that nobody else may write. Undefined
 * where the cache is in the project, which may have brought its files with it.
 */
export function ownCacheFile(name: string): string | undefined {
  const folder = resolve(cacheFolder())
  const isDefault = folder === resolve(cacheFolder({}))
  const [step] = relative(projectOf(realOf(process.cwd())), realOf(folder)).split(sep)
  return isDefault || step === '..' ? join(folder, 'trusted', name) : undefined
}

/** Whether such a file exists and is the user's: no link, and nobody else may write it or its folder. */
export function isOwnFile(file: string): boolean {
  try {
    return isOwn(file) && lstatSync(file).isFile() && isOwn(dirname(file))
  } catch {
    return false
  }
}

/** Writes such a file. Failures are ignored. */
export function writeOwnFile(file: string, content: string): void {
  try {
    makeFolders(dirname(dirname(file)))
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  } catch {}
  writeCacheFile(file, content)
}

/** Returns the outermost repository that holds a folder, else the folder. */
function projectOf(folder: string): string {
  let project = folder
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (existsSync(join(at, '.git'))) project = at
  return project
}

function isOwn(path: string): boolean {
  const { uid, mode } = lstatSync(path)
  return uid === process.getuid?.() && (mode & 0o022) === 0
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), relative(dirname(path), path))
  }
}
