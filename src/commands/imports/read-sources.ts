import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Collected, createCollection } from '../../imports/collect-trials.ts'
import type { Importer, ImportOptions } from '../../imports/foreign-trial.ts'
import { importedTrialId, unknownModel } from '../../imports/place-trials.ts'
import { loadPricer } from '../../imports/price-trials.ts'
import { tooDeep } from '../../imports/read-document.ts'
import { type Format, findSources, formats, type Source } from '../../imports/registry.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { ImportedFacts } from '../../schema/run/imported.ts'
import { UserError } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import type { Stories } from './write-stories.ts'

/** What to import: a path, and the row that its trials make; by default rows are named by agents and models. */
export interface Given {
  label: string | undefined
  path: string
}

/** A file of results, and the label that the user gave to its trials. */
export type LabelledSource = Source & { label: string | undefined }

/** What was read of the files, before the run is written. */
interface ReadResults {
  collected: Collected
  facts: Pick<ImportedFacts, 'format' | 'versions' | 'files' | 'untested'>
}

/** Returns the files of results at several paths. Throws `UserError` like `findSources`, and for results of several harnesses. */
export async function allSources(
  given: readonly Given[],
  format: Format | undefined,
): Promise<LabelledSource[]> {
  const found = new Map<string, LabelledSource>()
  for (const { label, path } of given)
    for (const source of await findSources(path, format)) {
      // A file that is named twice is read once.
      const key = JSON.stringify([label, resolve(source.path)])
      if (!found.has(key)) found.set(key, { ...source, label })
    }
  const all = [...found.values()]
  const names = [...new Set(all.map((one) => one.format))]
  if (names.length > 1)
    throw new UserError({
      where: 'bench import',
      what: `got results of ${names.join(' and ')}`,
      fix: 'Import each into a run of its own, and compare the runs: bench compare RUN:ROW RUN:ROW',
    })
  return all
}

/** What a user says of the files. */
export interface ReadOptions extends Omit<ImportOptions, 'noteVersion'> {
  skipInvalid?: boolean | undefined
  /** Prices trials whose cost the files do not state, by these prices and by the table. */
  price: { file: PriceFile | undefined } | undefined
  /** Trials without a verdict count as failed. */
  asFailed: boolean
  /** Tasks of one family are one cluster, where names tell. */
  clusters?: boolean | undefined
  /** The row that all others are compared with. */
  baseline?: string | undefined
}

/**
 * Reads the trials of all files, of one format, redacted by `clean`, and tells their transcripts to `stories`. Throws `UserError` for what cannot be read, unless it
 * is to be left out, for files without a trial, and for a baseline that is no row.
 */
export async function readSources(
  sources: readonly LabelledSource[],
  { skipInvalid = false, price, asFailed, clusters, ...options }: ReadOptions,
  { stories, clean }: { stories: Pick<Stories, 'add'>; clean: <Value>(value: Value) => Value },
): Promise<ReadResults> {
  const priced = price && (await loadPricer(price.file))
  const [first] = sources
  const named: Importer | undefined = first && clusters ? formats[first.format] : undefined
  const collection = createCollection({ skipInvalid, asFailed, clusterOf: named?.clusterOf })
  const versions = createVersions()
  const files: ImportedFacts['files'] = []
  for (const { path, format, label } of sources) {
    try {
      const importer: Importer = formats[format]
      for await (const found of importer.read(path, { ...options, noteVersion: versions.note })) {
        if ('broken' in found) {
          if (!skipInvalid) throw found.broken
          leaveBroken(collection, found.broken)
          continue
        }
        const place = { source: path, label }
        if (!('trial' in found)) {
          collection.add(clean(found), place)
          continue
        }
        const trial = clean(priced ? priced(found.trial) : found.trial)
        if (!collection.add({ trial }, place) || !found.story) continue
        const id = importedTrialId(format, label, trial)
        await stories.add({ id, where: trial.where, agent: trial.model ?? unknownModel }, found.story)
      }
    } catch (thrown) {
      const error = thrown instanceof RangeError ? tooDeep(path) : thrown
      if (!skipInvalid || !(error instanceof UserError)) throw error
      leaveBroken(collection, error, ' (the rest of the file was not read)')
    }
    files.push({ path, digest: await digestOf(path) })
  }
  const collected = collection.result()
  requireTrials(collected, sources)
  requireBaseline(options.baseline, collected)
  const format = sources[0]?.format as Format
  const untested = untestedVersions(format, versions.all())
  return {
    collected,
    facts: { format, versions: versions.all(), files, ...(untested.length > 0 && { untested }) },
  }
}

/** Counts what cannot be read once, however many of its fields are wrong. */
function leaveBroken(
  { leave }: Pick<ReturnType<typeof createCollection>, 'leave'>,
  { problems: [first, ...more] }: UserError,
  rest = '',
): void {
  if (!first) return
  // They are fields of one result, whose place the first names.
  const fieldOf = (where: string) => where.slice(where.lastIndexOf(' ') + 1)
  const all = [first.what, ...more.map(({ where, what }) => `${fieldOf(where)} ${what}`)]
  leave(first.where, `${all.join('; ')}${rest}`)
}

function requireTrials({ trials, facts: { leftOut } }: Collected, sources: readonly LabelledSource[]): void {
  const [first] = sources
  if (trials.length > 0 || !first) return
  throw new UserError({
    where: sources.map(({ path }) => path).join(', '),
    what: `has no trials${leftOut.count > 0 ? `; left out: ${leftOut.items[0]?.where} ${leftOut.items[0]?.what}` : ''}`,
    fix: `Name ${formats[first.format].wanted}.`,
  })
}

function requireBaseline(baseline: string | undefined, { rows }: Collected): void {
  const labels = rows.map(({ label }) => label)
  if (baseline !== undefined && !labels.includes(baseline))
    throw new UserError({
      where: `--baseline ${baseline}`,
      what: 'is no row of this import',
      fix: withNear(baseline, labels, `Rows: ${labels.slice(0, 20).join(', ')}.`),
    })
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Gathers versions of formats. `note` throws `UserError` for what is no version. */
function createVersions() {
  const all = new Set<string>()
  return {
    note(version: string, where: string): void {
      if (!/^(?:ATIF-v)?\d{1,6}(?:\.\d{1,6}){0,3}$/.test(version))
        throw new UserError({
          where,
          what: `states ${JSON.stringify(version.slice(0, 40))} as the version of its format`,
          fix: 'Copy the file again from the harness that wrote it; versions are numbers such as 2 or 0.3.0.',
        })
      all.add(version)
    },
    all: () => [...all].toSorted(),
  }
}

/** Returns the versions that bench was not tried with. */
function untestedVersions(format: Format, versions: readonly string[]): string[] {
  const { tested = [] }: Importer = formats[format]
  return versions.filter((version) => !tested.some((one) => version === one || version.startsWith(`${one}.`)))
}
