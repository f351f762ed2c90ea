import { existsSync } from 'node:fs'
import type { Exporter } from '../../exports/exported-trial.ts'
import { formats } from '../../exports/registry.ts'
import { runFolderProblems } from '../../loop/record/run-folder.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { runFileProblem } from '../terminal/output-file.ts'
import { type Collector, readCollector } from './collector.ts'

/** The flags of `bench export`. */
export interface ExportOptions {
  format?: string
  out?: string
  to?: string
  content?: boolean
  peek?: boolean
}

/** What is exported, and where to: to stdout without a file, a folder or a collector. */
export interface ExportTarget {
  exporter: Exporter
  out?: string | undefined
  collector?: Collector | undefined
  content: boolean
}

/** Reads the flags. Throws `UserError` with all that is wrong with them. */
export function readTarget({ format, out, to, content = false }: ExportOptions): ExportTarget {
  const names = Object.keys(formats)
  const exporter = format !== undefined && Object.hasOwn(formats, format) ? formats[format] : undefined
  if (!exporter)
    throw new UserError(
      format === undefined
        ? { where: '--format', what: 'is missing', fix: `Name one of ${names.join(', ')}.` }
        : {
            where: `--format ${format}`,
            what: 'is not an export format',
            fix: withNear(format, names, `Formats: ${names.join(', ')}.`),
          },
    )
  const problems: Problem[] = []
  const isTraces = exporter.out === 'file'
  for (const [flag, isGiven] of [
    ['--to', to !== undefined],
    ['--content', content],
  ] as const)
    if (isGiven && !isTraces)
      problems.push({
        where: flag,
        what: `is for otlp alone${flag === '--content' ? `: ${format} always holds texts` : ''}`,
        fix: 'Leave it out.',
      })
  if (to !== undefined && out !== undefined)
    problems.push({ where: '--to', what: 'conflicts with --out', fix: 'Use one of the two.' })
  problems.push(...outProblems(out, exporter, format as string))
  if (problems.length > 0) throw new UserError(problems)
  const collector = to === undefined ? undefined : readCollector(to, process.env)
  return { exporter, out, collector, content }
}

function outProblems(out: string | undefined, exporter: Exporter, format: string): Problem[] {
  if (exporter.out === 'folder')
    return out === undefined
      ? [{ where: '--out', what: 'is missing', fix: `Name a new folder: --out exports/${format}` }]
      : runFolderProblems(out)
  if (out === undefined) return []
  const needed = runFileProblem('--out', out)
  if (needed) return [needed]
  return existsSync(out)
    ? [{ where: `--out ${out}`, what: 'already exists', fix: 'Give another file, or remove it.' }]
    : []
}
