import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { strategies } from '../../../strategies/index.ts'
import { type BuiltStrategy, builtStrategies, packageRoot } from '../../base/package-root.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { readPrograms } from '../../loop/stage/program.ts'
import type { Strategy } from '../../strategy.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { readYaml } from '../../yaml/read-fields.ts'
import { documentsFor } from './documents.ts'

/** Returns the built-in strategies, each with a digest of its source, of the modules that strategies share and of its programs. */
export function builtInStrategies(): (KnownStrategy & BuiltStrategy)[] {
  const built = builtStrategies()
  const digestSource = built ? undefined : sourceDigests()
  return strategies.map((strategy) => ({
    strategy,
    // Made when they are used: the programs of a chain are long, and most commands run none.
    get digest() {
      return digestSource?.(strategy) ?? digestNow(built?.[strategy.name] as BuiltStrategy, this.programs)
    },
    get programs() {
      return sha256(Buffer.concat(programTexts(strategy)))
    },
  }))
}

/** Programs are read when they run, so they may have changed since the build. */
const digestNow = ({ digest, programs }: BuiltStrategy, now: string): string =>
  now === programs ? digest : sha256(`${digest}\n${now}`)

function sourceDigests(): (strategy: Strategy) => string {
  const isSource = import.meta.url.endsWith('.ts')
  const ending = isSource ? '.ts' : '.js'
  const base = isSource ? packageRoot() : join(packageRoot(), 'dist')
  const shared = sharedModules(base, ending).flatMap((path) => [
    Buffer.from('\n'),
    readFileSync(join(base, path)),
  ])
  return (strategy) => {
    const own = readFileSync(join(base, 'strategies', `${strategy.name}${ending}`))
    return sha256(Buffer.concat([own, ...shared, ...programTexts(strategy)]))
  }
}

const programTexts = (strategy: Strategy): Buffer[] =>
  Object.entries(readPrograms(strategy.programs ?? [])).flatMap((file) =>
    file.map((text) => Buffer.from(`\n${text}`)),
  )

/** Returns the paths of the modules that strategies share, in a fixed order. */
export function sharedModules(base: string, ending: string): string[] {
  const folders = ['src/formats', 'src/replies', 'src/analysis/agreement', 'src/workflows']
  const files = folders.flatMap((folder) =>
    readdirSync(join(base, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith(ending))
      .sort()
      .map((file) => `${folder}/${file}`),
  )
  // The last is the rule of the paths of outputs.
  const others = ['src/analysis/numeric/moments', 'src/replies/bounded-match', 'src/sandbox/folders/paths']
  return [...files, ...others.map((file) => `${file}${ending}`)]
}

interface ShippedDocument {
  /** Its name after `--methods STRATEGY:`. */
  name: string
  file: string
  /** Its first comment, else its `description` or the name of its run; empty without any. */
  description: string
}

const Described = z.looseObject({
  description: z.string().optional(),
  name: z.string().optional(),
  run: z.looseObject({ name: z.string().optional() }).optional(),
})

/** Returns the documents that come with a built-in strategy which reads documents, sorted by name. */
export function shippedDocuments(strategy: Strategy, isBuiltIn: boolean): ShippedDocument[] {
  if (strategy.document === undefined) return []
  return Object.entries(documentsFor(strategy, isBuiltIn).shipped).flatMap(([file, text]) => {
    const [, name] = /^(.+)\.ya?ml$/.exec(file) ?? []
    return name === undefined ? [] : [{ name, file, description: describe(text, file) }]
  })
}

function describe(text: string, file: string): string {
  const [, comment] = /^#+ *(\S.*)$/m.exec(text.split('\n', 1)[0] ?? '') ?? []
  if (comment !== undefined) return comment.trim()
  const { description, name, run } = readYaml(text, file, Described, [])?.data ?? {}
  return (description ?? run?.name ?? name ?? '').trim().split('\n', 1)[0] ?? ''
}
