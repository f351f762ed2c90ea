import { type Block, RubricScale } from '../../schema/grader-spec.ts'
import type { Rule } from '../../schema/task.ts'
import { isObject } from '../../text/is-object.ts'
import { shorten } from '../../text/shorten.ts'
import { type Cells, parsedList } from './cells.ts'
import type { Given } from './column-finder.ts'
import type { TextColumns } from './columns.ts'
import type { Expected } from './expected.ts'

/** The graders and the rule of a row; undefined if its cells have problems, which they collect. */
type Graded = Pick<Expected, 'graders' | 'rule'> | undefined

const columnOf = (name: string, given: Given<unknown> | undefined) =>
  given && 'column' in given ? given.column : name

const ruleOf = (pass: number | undefined): { rule?: Rule } =>
  pass === undefined ? {} : { rule: { mean: pass } }

/** Grades by a function in a file of the task's `tests/`. */
export const moduleGraders = (file: string, cells: Cells, { pass }: TextColumns): Graded => ({
  graders: [{ kind: 'module', name: 'function', file }],
  ...ruleOf(cells.number('pass', pass)),
})

/** Grades by the criteria of a rubric, which judges of the run answer. */
export function judgeGraders(
  cells: Cells,
  { rubric, scale, pass }: TextColumns,
  hasReference: boolean,
): Graded {
  const lines = linesOf(cells.raw(rubric))
  const criteria = lines.map((line, i) => criterionOf(line, i))
  const column = columnOf('rubric', rubric)
  if (criteria.length === 0)
    cells.report(
      column,
      'is missing: judges have nothing to look at',
      'Fill it, or write what is wanted for all rows: ?rubric=It is polite.',
    )
  if (criteria.includes(undefined))
    cells.report(
      column,
      'has a criterion without a text, with a name that is not one word, or with a weight that is not above 0',
      'Write texts, or { "name": "polite", "text": "It is polite.", "weight": 2 }.',
    )
  const said = cells.texted(scale)
  const known = RubricScale.safeParse(said ?? 'yes-no')
  if (!known.success)
    cells.report(
      columnOf('scale', scale),
      `is no scale: ${shorten(said ?? '', 40)}`,
      `Write ${RubricScale.options.join(', ')}.`,
    )
  if (known.data === 'compare' && !hasReference)
    cells.report(
      columnOf('scale', scale),
      'is compare, but the row has no answer to compare with',
      'Write a good answer into its column of answers, or use another scale.',
    )
  const rule = ruleOf(cells.number('pass', pass))
  if (cells.problems.length > 0) return undefined
  return {
    graders: [
      {
        ...{ kind: 'rubric', name: 'judge' },
        criteria: criteria.filter((one) => one !== undefined),
        ...(known.data !== 'yes-no' && { scale: known.data }),
      },
    ],
    ...rule,
  }
}

const word = /^[a-z][a-z0-9_-]{0,39}$/i

/** A line `polite (2): It is polite.` has a name and a weight; any other is a text alone. */
function criterionOf(line: unknown, index: number) {
  const unnamed = `criterion-${index + 1}`
  if (isObject(line)) {
    const { name = unnamed, text, weight } = line
    if (typeof name !== 'string' || !word.test(name) || typeof text !== 'string' || text.trim() === '')
      return undefined
    if (weight === undefined) return { name, text }
    return Number(weight) > 0 ? { name, text, weight: Number(weight) } : undefined
  }
  if (typeof line !== 'string' || line.trim() === '') return undefined
  const plain = line.trim().replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, '')
  const [, name, weight, text] =
    /^([a-z][a-z0-9_-]{0,39})\s*(?:\((\d+(?:\.\d+)?)\))?\s*:\s+(.+)$/is.exec(plain) ?? []
  if (name === undefined || text === undefined) return { name: unnamed, text: plain }
  return { name, text, ...(weight !== undefined && Number(weight) > 0 && { weight: Number(weight) }) }
}

const blocks: readonly Block[] = ['heading', 'list', 'code', 'quote', 'rule', 'html']

/** Grades a text by its number of words, the facts that it must state, and the Markdown that it must not have. */
export function rulesGraders(cells: Cells, { words, facts, forbid, pass }: TextColumns): Graded {
  const said = cells.texted(words)
  const [, min, max] = /^(\d{1,6})\s*[-–]\s*(\d{1,6})$/.exec(said ?? '') ?? []
  if (min === undefined || Number(min) < 1 || Number(max) < Number(min))
    cells.report(
      columnOf('words', words),
      said === undefined ? 'is missing' : `is no range of words: ${shorten(said, 40)}`,
      'Write the fewest and the most words, such as 50-100, or ?words=50-100 for all rows.',
    )
  const forbidden = textsOf(cells.raw(forbid)).map((one) => one.toLowerCase())
  const unknown = forbidden.find((one) => !blocks.some((block) => block === one))
  if (unknown !== undefined)
    cells.report(
      columnOf('forbid', forbid),
      `has no such Markdown: ${shorten(unknown, 40)}`,
      `Write ${blocks.join(', ')}.`,
    )
  const rule = ruleOf(cells.number('pass', pass))
  const stated = factsOf(cells.raw(facts))
  if (cells.problems.length > 0) return undefined
  return {
    graders: [
      {
        ...{ kind: 'rules', name: 'rules', words: { min: Number(min), max: Number(max) } },
        ...(forbidden.length > 0 && { forbid: forbidden as Block[] }),
        ...(stated.length > 0 && { facts: stated }),
      },
    ],
    ...rule,
  }
}

/** The items of a list, of a list in JSON, or of a text with line breaks or else `|` between them. */
function linesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return value === undefined || value === null ? [] : [value]
  const text = value.trim()
  const listed = parsedList(text)
  if (listed) return listed
  return text
    .split(/\r?\n/.test(text) ? /\r?\n/ : '|')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Words with commas, semicolons, bars or line breaks between them, or a list. */
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[,;|\n]/) : [])
    .map((text) => text.trim())
    .filter((text) => text !== '')

/** Facts with line breaks or semicolons between them, each with its spellings parted by `|`; or a list of lists. */
function factsOf(value: unknown): string[][] {
  const list = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? (parsedList(value) ?? value.split(/[;\n]/))
      : []
  return list
    .map((fact) => (Array.isArray(fact) ? fact.map(String) : String(fact).split('|')))
    .map((spellings) => spellings.map((one) => one.trim()).filter((one) => one !== ''))
    .filter((spellings) => spellings.length > 0)
}
