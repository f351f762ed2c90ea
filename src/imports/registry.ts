import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readText } from '../suites/files/read-lines.ts'
import { UserError } from '../text/errors.ts'
import { fileFault } from '../text/file-fault.ts'
import { everyEvalEver } from './every-eval-ever.ts'
import type { Importer } from './foreign-trial.ts'
import { harbor } from './harbor.ts'
import { inspect } from './inspect.ts'
import { lmEval } from './lm-eval.ts'
import { perInstance } from './per-instance.ts'
import { promptfoo } from './promptfoo.ts'
import { sweBench } from './swe-bench.ts'
import { terminalBench } from './terminal-bench.ts'

/** The formats that are imported, by the names that a user writes. A new format is a file beside these, a line here and one in `signs`. */
export const formats = {
  inspect,
  harbor,
  'terminal-bench': terminalBench,
  promptfoo,
  'swe-bench': sweBench,
  'lm-eval': lmEval,
  'every-eval-ever': everyEvalEver,
  'per-instance': perInstance,
} as const satisfies Record<string, Importer>
/** One of these names. */
export type Format = keyof typeof formats

/** How the files of a format are known: by name, and by words near the begin. A table is known to nobody but its owner. */
const signs: Readonly<Record<Exclude<Format, 'per-instance'>, { name: RegExp; text?: RegExp }>> = {
  inspect: { name: /\.(eval|json)$/, text: /"eval"\s*:\s*\{/ },
  promptfoo: { name: /\.jsonl?(\.gz)?$/, text: /"evalId"|"testPassCount"|"promptIdx"/ },
  harbor: { name: /^result\.json$/, text: /"n_total_trials"|"agent_info"/ },
  'terminal-bench': { name: /^([\d-]+_+[\d-]+_+)?results\.json$/, text: /"is_resolved"/ },
  'swe-bench': {
    name: /\.json$/,
    text: /"resolved_ids"|"per_instance_details"|"no_generation"|"leaderboards"/,
  },
  'every-eval-ever': { name: /\.jsonl(\.gz)?$/, text: /"evaluation_id"/ },
  'lm-eval': { name: /^samples_.+\.jsonl(\.gz)?$/, text: /"doc_id"/ },
}

/** Formats whose files have names of their own. */
const exactNames: readonly Format[] = ['harbor', 'terminal-bench', 'lm-eval']

const headLength = 256 * 1024
/** More files are no results, but a disk. */
const mostFiles = 200_000

/** A file of results, and its format. */
export interface Source {
  path: string
  format: Format
}

/**
 * Returns the files of results at a path, a file or a folder, whose links are not followed. `wanted` is the format that the user names. Throws
 * `UserError` for a path without results, and for a folder with results of several harnesses.
 */
export async function findSources(path: string, wanted: Format | undefined): Promise<Source[]> {
  // A file with a slash behind it is none.
  const found = existsSync(path) ? statSync(path) : undefined
  if (!found) throw new UserError({ where: path, what: 'does not exist', fix: 'Check the path.' })
  if (!found.isDirectory()) {
    if (!found.isFile())
      throw new UserError({ where: path, what: 'is not a file', fix: 'Give the path of the file.' })
    const format = wanted ?? (await formatOf(path))
    if (format) return [{ path, format }]
    throw new UserError({ where: path, what: 'has a format that is not known', fix: knownFormats })
  }
  const sources: Source[] = []
  for (const file of filesIn(path)) {
    if (
      wanted === 'per-instance'
        ? !/\.(csv|tsv|jsonl)(\.gz)?$/.test(file)
        : wanted && !signs[wanted].name.test(basename(file))
    )
      continue
    const format = wanted === 'per-instance' ? wanted : await formatOf(file, wanted)
    if (format) sources.push({ path: file, format })
  }
  const all = [...new Set(sources.map(({ format }) => format))]
  if (all.length > 1)
    throw new UserError({
      where: path,
      what: `has results of ${all.join(' and ')}`,
      fix: `Name the one to import: bench import ${all[0]} ${path} --out RUN`,
    })
  const [format] = all
  // A file of this name that looks like none of its kind is cut off or damaged: who reads it says so.
  if (format && exactNames.includes(format))
    for (const file of filesIn(path))
      if (
        signs[format as keyof typeof signs].name.test(basename(file)) &&
        !sources.some((one) => one.path === file)
      )
        sources.push({ path: file, format })
  if (sources.length > 0) return sources
  throw new UserError({
    where: path,
    what: wanted ? `has no results of ${formats[wanted].title}` : 'has no results of a format that is known',
    fix: wanted ? `Name ${formats[wanted].wanted}.` : knownFormats,
  })
}

const knownFormats = `Known: ${Object.keys(formats).join(', ')}. For a table: bench import per-instance FILE --columns task=COLUMN,passed=COLUMN --out RUN`

/** Returns the format of a file; undefined if none is known, as for a table. With `only`, no other one is looked for. */
export async function formatOf(
  path: string,
  only?: Exclude<Format, 'per-instance'>,
): Promise<Format | undefined> {
  const name = basename(path)
  if (name.endsWith('.eval')) return 'inspect'
  const possible = (Object.keys(signs) as (keyof typeof signs)[]).filter(
    (format) => (only === undefined || format === only) && signs[format].name.test(name),
  )
  if (possible.length === 0) return undefined
  const head = await headOf(path)
  return possible.find((format) => signs[format].text?.test(head) !== false)
}

async function headOf(path: string): Promise<string> {
  let head = ''
  for await (const part of readText(path, Number.POSITIVE_INFINITY)) {
    head += part
    if (head.length >= headLength) break
  }
  return head
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    throw new UserError({
      where: folder,
      what: `cannot be read: ${fileFault(error)}`,
      fix: 'Name files or folders that you may read.',
    })
  }
}

function* filesIn(folder: string): Generator<string> {
  const open = [folder]
  let count = 0
  while (open.length > 0) {
    const next = open.pop() as string
    const names = namesIn(next).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    const folders: string[] = []
    for (const name of names) {
      const path = join(next, name)
      const stat = lstatSync(path)
      if (stat.isDirectory()) folders.push(path)
      else if (stat.isFile()) {
        if (++count > mostFiles)
          throw new UserError({
            where: folder,
            what: `has more than ${mostFiles} files`,
            fix: 'Name the folder of the results alone.',
          })
        yield path
      }
    }
    open.push(...folders.reverse())
  }
}
