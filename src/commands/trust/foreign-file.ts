import { readFileSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { readToolFiles } from '../../agent-tools/mcp/read-tool-files.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import { canonicalJson, digest, sha256 } from '../../text/canonical-json.ts'
import { isPlainFile, readSources } from '../../user-code/read-sources.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { builtInStrategies } from '../methods/built-in-strategies.ts'
import { documentsFor } from '../methods/documents.ts'
import { configPowers } from './config-powers.ts'
import { documentPowers } from './document-powers.ts'
import { agentPowers, isAsked, type Power, toolPowers } from './powers.ts'

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
