import { existsSync, readFileSync } from 'node:fs'
import type { Importer } from '../../imports/foreign-trial.ts'
import { columnNames } from '../../imports/per-instance.ts'
import { type Format, formats } from '../../imports/registry.ts'
import { runFolderProblems } from '../../loop/record/run-folder.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { shellWord } from '../../text/shell-word.ts'
import { userPrices } from '../agents/agent-prices.ts'
import { say } from '../terminal/say.ts'
import { importTexts } from './import-texts.ts'
import { allSources, type Given } from './read-sources.ts'
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
  price?: boolean
  prices?: string
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
  const price = options.price || options.prices ? { file: userPrices(options.prices) } : undefined
  const tasks = readTaskList(options.taskList)
  const { collected, facts } = await writeImportedRun(out as string, sources, {
    ...{ score: options.score, skipInvalid: options.skipInvalid },
    ...{ columns, tasks, price, asFailed, clusters: options.clusters, baseline: options.baseline },
  })
  for (const text of importTexts(collected, facts)) say(text)
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
    .filter((line) => line !== '' && !line.startsWith('#'))
}
