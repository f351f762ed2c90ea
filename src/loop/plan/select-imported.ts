import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { loadSuite } from '../../suites/load-suite.ts'
import { importers } from '../../suites/registry.ts'
import { parseSource, sourceText } from '../../suites/select.ts'
import type { Problem } from '../../text/errors.ts'
import { type Selected, tooFewNote } from './selected.ts'
import { unknownName } from './unknown-name.ts'

const sliceRemedy = 'Use another slice: 20 is the first 20 tasks, 10-19 are tasks 10 to 19, counted from 0.'

/** Reads the tasks of `NAME:PATH[?parameters][:slice]`. */
export async function selectImported(item: string): Promise<Selected> {
  const parsed = parseSource(item)
  const { name, path, parameters, range } = parsed
  const where = `--tasks ${item}`
  const nothing = (...problems: Problem[]): Selected => ({ tasks: [], problems, selector: item })
  const importer = importers.find((known) => known.name === name)
  if (!importer) {
    const names = importers.map((known) => known.name)
    return nothing(unknownName(where, 'suite format', name, names, 'bench tasks'))
  }
  const known = Object.keys(importer.parameters ?? {})
  const unknown = Object.keys(parameters).filter((parameter) => !known.includes(parameter))
  if (unknown.length > 0)
    return nothing(
      ...unknown.map((parameter) =>
        unknownName(where, `parameter of ${name}`, parameter, known, 'bench tasks'),
      ),
    )
  const absolute = resolve(path)
  const [, before = '', end] = /^(.+):([^:/\\]+)$/.exec(path) ?? []
  if (end !== undefined && !existsSync(absolute) && existsSync(resolve(before)))
    return nothing({ where, what: `"${end}" is not a slice of ${before}`, fix: sliceRemedy })
  const selector = sourceText({ ...parsed, path: absolute })
  const { tasks, problems, read, notes } = await loadSuite(importer, { path: absolute, parameters }, range)
  if (problems.length === 0 && tasks.length === 0)
    return { ...nothing({ where, what: `selects none of its ${read} tasks`, fix: sliceRemedy }), selector }
  const { note: tooFew } = range ? tooFewNote(item, range.to + 1, read) : {}
  const note = [...notes, ...(tooFew === undefined ? [] : [tooFew])].join('; ')
  return { tasks, problems, selector, ...(note !== '' && { note }) }
}
