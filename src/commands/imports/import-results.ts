import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Collected, createCollection } from '../../imports/collect-trials.ts'
import type { Importer } from '../../imports/foreign-trial.ts'
import { type Format, findSources, formats, type Source } from '../../imports/formats.ts'
import { columnNames } from '../../imports/per-instance.ts'
import { runFolderProblems } from '../../loop/record/run-folder.ts'
import type { ImportedFacts } from '../../schema/run/imported.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { shellWord } from '../../text/shell-word.ts'
import { say } from '../terminal/say.ts'
import { importTexts } from './import-texts.ts'
import { writeImportedRun } from './write-run.ts'

interface ImportOptions {
  out?: string
  score?: string
  columns?: string
  taskList?: string
  clusters?: boolean
  ungraded?: string
  baseline?: string
  skipInvalid?: boolean
}

/** What to import: a path, and the row that its trials make; by default rows are named by agents and models. */
interface Given {
  label: string | undefined
  path: string
}

/** `bench import [FORMAT] PATH… --out RUN`: makes a run folder of results of another harness. Nothing is run and nothing is asked. */
export default async function importResults(
  words: readonly string[],
  options: ImportOptions,
): Promise<number> {
  const { out } = options
  const { format, given } = readWords(words)
  const problems: Problem[] = []
  if (out === undefined)
    problems.push({
      where: '--out',
      what: 'is missing',
      fix: 'Name the folder of the new run: --out results/imported',
    })
  else problems.push(...runFolderProblems(out))
  if (given.length === 0)
    problems.push({
      where: 'bench import',
      what: 'names no files',
      fix: `Write bench import PATH --out RUN.${format ? ` A file or folder that is called like the format is ./${format}.` : ''}`,
    })
  const columns = readColumns(options.columns, problems)
  const asFailed = readUngraded(options.ungraded, problems)
  if (problems.length > 0) throw new UserError(problems)
  const sources = await allSources(given, format)
  refuseUnused(sources[0]?.format, options)
  const found = await readAll(sources, {
    ...{ ...options, columns, asFailed },
    tasks: readTaskList(options.taskList),
  })
  if (found.collected.trials.length === 0)
    throw new UserError({
      where: given.map(({ path }) => path).join(', '),
      what: `has no trials${found.collected.facts.leftOut.count > 0 ? `; left out: ${found.collected.facts.leftOut.items[0]?.what}` : ''}`,
      fix: `Name ${formats[sources[0]?.format as Format].wanted}.`,
    })
  const facts = { ...found.collected.facts, ...found.facts }
  refuseUnknownBaseline(options.baseline, found.collected)
  writeImportedRun(out as string, found.collected, { facts, baseline: options.baseline ?? null })
  for (const text of importTexts(found.collected, facts)) say(text)
  say(`bench report ${shellWord(out as string)}`)
  return 0
}

const flagNames = {
  score: '--score',
  columns: '--columns',
  taskList: '--task-list',
  clusters: '--clusters',
} as const

/** Throws `UserError` for options that the format has no use for. */
function refuseUnused(format: Format | undefined, options: ImportOptions): void {
  const importer: Importer | undefined = format && formats[format]
  const takes = [...(importer?.takes ?? []), ...(importer?.clusterOf ? ['clusters'] : [])]
  const unused = (Object.keys(flagNames) as (keyof typeof flagNames)[]).filter(
    (name) => options[name] !== undefined && !takes.includes(name),
  )
  if (unused.length > 0)
    throw new UserError(
      unused.map((name) => ({
        where: flagNames[name],
        what: `is not for results of ${importer?.title ?? 'this format'}`,
        fix: name === 'clusters' ? 'Leave it out. For a table: --columns cluster=COLUMN' : 'Leave it out.',
      })),
    )
}

function refuseUnknownBaseline(baseline: string | undefined, { rows }: Collected): void {
  const labels = rows.map(({ label }) => label)
  if (baseline !== undefined && !labels.includes(baseline))
    throw new UserError({
      where: `--baseline ${baseline}`,
      what: 'is no row of this import',
      fix: withNear(baseline, labels, `Rows: ${labels.slice(0, 20).join(', ')}.`),
    })
}

/** The first word may be a format; others are paths, each with a label before it if the user wants one. */
function readWords(words: readonly string[]): { format: Format | undefined; given: Given[] } {
  const [first = ''] = words
  const isFormat = Object.hasOwn(formats, first)
  if (!isFormat && first !== '' && !existsSync(first) && !/[=/.]/.test(first))
    throw new UserError({
      where: `bench import ${first}`,
      what: 'is neither a format nor a path',
      fix: withNear(first, Object.keys(formats), `Formats: ${Object.keys(formats).join(', ')}.`),
    })
  const paths = isFormat ? words.slice(1) : words
  return {
    format: isFormat ? (first as Format) : undefined,
    given: paths.map((word) => {
      const [, label, path = word] = existsSync(word) ? [] : (/^([\w.@-]+)=(.+)$/s.exec(word) ?? [])
      return { label, path }
    }),
  }
}

function readColumns(text: string | undefined, problems: Problem[]): Record<string, string> | undefined {
  if (text === undefined) return undefined
  const known = Object.keys(columnNames)
  const pairs = text.split(',').map((part) => part.split('='))
  const twice = pairs.find(([column], at) => pairs.findIndex(([other]) => other === column) < at)?.[0]
  if (twice !== undefined)
    problems.push({
      where: `--columns ${twice}`,
      what: 'is there twice',
      fix: 'Name one column of the table for it.',
    })
  for (const [column = '', name] of pairs)
    if (!known.includes(column) || !name)
      problems.push({
        where: `--columns ${column}`,
        what: name ? 'is nothing that a column can hold' : 'names no column of the table',
        fix: withNear(
          column,
          known,
          `Write --columns task=COLUMN,passed=COLUMN. Known: ${known.join(', ')}.`,
        ),
      })
  return Object.fromEntries(pairs)
}

/** Whether trials without a verdict count as failed. */
function readUngraded(text: string | undefined, problems: Problem[]): boolean {
  if (text !== undefined && text !== 'failed' && text !== 'missing')
    problems.push({
      where: `--ungraded ${text}`,
      what: 'is no way to count trials without a verdict',
      fix: withNear(
        text,
        ['failed', 'missing'],
        'Write --ungraded failed, or leave it out: they are missing then.',
      ),
    })
  return text === 'failed'
}

function readTaskList(path: string | undefined): string[] | undefined {
  if (path === undefined) return undefined
  if (!existsSync(path))
    throw new UserError({
      where: `--task-list ${path}`,
      what: 'does not exist',
      fix: 'Name a file with one task a line.',
    })
  return readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
}

async function allSources(given: readonly Given[], format: Format | undefined) {
  const all: (Source & { label: string | undefined })[] = []
  for (const { label, path } of given)
    for (const source of await findSources(path, format)) all.push({ ...source, label })
  const names = [...new Set(all.map((one) => one.format))]
  if (names.length > 1)
    throw new UserError({
      where: 'bench import',
      what: `got results of ${names.join(' and ')}`,
      fix: 'Import each into a run of its own, and compare the runs: bench compare RUN/ROW RUN/ROW',
    })
  return all
}

interface Read {
  collected: Collected
  facts: Pick<ImportedFacts, 'format' | 'versions' | 'files'>
}

async function readAll(
  sources: readonly (Source & { label: string | undefined })[],
  options: Omit<ImportOptions, 'columns'> & {
    columns: Record<string, string> | undefined
    tasks: string[] | undefined
    asFailed: boolean
  },
): Promise<Read> {
  const { score, columns, tasks, asFailed, skipInvalid = false } = options
  const importer: Importer | undefined = sources[0] && formats[sources[0].format]
  const collection = createCollection({
    ...{ skipInvalid, asFailed },
    clusterOf: options.clusters ? importer?.clusterOf : undefined,
  })
  const versions = new Set<string>()
  const files: ImportedFacts['files'] = []
  const noteVersion = (version: string) => versions.add(version)
  for (const { path, format, label } of sources) {
    files.push({ path, digest: await digestOf(path) })
    try {
      for await (const finding of formats[format].read(path, { noteVersion, score, columns, tasks }))
        collection.add(finding, { source: path, label })
    } catch (error) {
      if (!skipInvalid || !(error instanceof UserError)) throw error
      for (const { where, what } of error.problems)
        collection.leave(where, `${what} (the rest of the file was not read)`)
    }
  }
  return {
    collected: collection.result(),
    facts: { format: sources[0]?.format as Format, versions: [...versions].toSorted(), files },
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
