import type { Liquid, Template, Variable } from 'liquidjs'
import { loadPackage } from '../../base/load-package.ts'
import { didYouMean } from '../../text/near-word.ts'
import { shortenEnd } from '../../text/shorten.ts'

/** A mistake in a template, with its place in the template's text. */
export class TemplateError extends Error {
  readonly line: number
  readonly column: number
  readonly fix: string | undefined
  constructor(what: string, [line, column]: readonly [number, number], fix?: string) {
    super(what)
    this.name = 'TemplateError'
    this.line = line
    this.column = column
    this.fix = fix
  }
}

/** A variable that a template takes from outside, at its first place. */
interface TemplateNeed {
  name: string
  line: number
  column: number
}

/** No tag here reads files, and none keeps state from one rendering to the next. */
const tags = [
  'assign',
  'break',
  'capture',
  'case',
  'comment',
  'continue',
  'echo',
  'for',
  'if',
  'raw',
  'unless',
  '#',
]
/** No filter here knows a clock, chance or the machine, and each takes time in proportion to its text. */
const filters = [
  ...[
    'append',
    'capitalize',
    'downcase',
    'lstrip',
    'prepend',
    'remove',
    'replace',
    'rstrip',
    'slice',
    'split',
    'strip',
  ],
  ...['strip_newlines', 'truncate', 'truncatewords', 'upcase', 'number_of_words', 'json', 'default'],
  ...['compact', 'concat', 'first', 'join', 'last', 'map', 'reverse', 'size', 'sort', 'uniq', 'where'],
  ...[
    'abs',
    'at_least',
    'at_most',
    'ceil',
    'divided_by',
    'floor',
    'minus',
    'modulo',
    'plus',
    'round',
    'times',
  ],
]

/** Most characters of a template, and of all texts that one rendering makes. */
const mostParsed = 256_000
const mostMade = 8_000_000
/** Most nodes that one rendering passes. Their number is the same on each machine, as no clock is. */
const mostNodes = 200_000

let loaded: { engine: Liquid; Context: typeof import('liquidjs').Context } | undefined

function load() {
  if (loaded) return loaded
  const { Liquid, Context } = loadPackage('liquidjs') as typeof import('liquidjs')
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // An empty text is false, as who writes `{% if guidance %}` expects.
    jsTruthy: true,
    templates: {},
    globals: {},
    parseLimit: mostParsed,
    memoryLimit: mostMade,
    locale: 'en-US',
    outputEscape: measured,
  })
  keepOnly(engine.tags, tags)
  keepOnly(engine.filters, filters)
  loaded = { engine, Context }
  return loaded
}

function keepOnly(table: Record<string, unknown>, names: readonly string[]): void {
  for (const name of Object.keys(table)) if (!names.includes(name)) delete table[name]
}

/** What is printed, too, counts as text that a rendering makes. */
function measured(this: { context: { memoryLimit: { use(count: number): void } } }, value: unknown): string {
  const text = textOf(value)
  this.context.memoryLimit.use(text.length)
  return text
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Renders a LiquidJS template. Values are never rendered again. Throws `TemplateError`, for a variable that does not exist too. */
export function renderTemplate(text: string, variables: Variables): string {
  return guarded(() => render(parse(text), variables, false))
}

/** Renders a LiquidJS template. Returns all that fails, as far as one failure does not hide another; throws if the text cannot be parsed. */
export function renderProblems(text: string, variables: Variables): TemplateError[] {
  const parsed = parse(text)
  try {
    render(parsed, variables, true)
    return []
  } catch (error) {
    return toTemplateErrors(error)
  }
}

type Variables = Readonly<Record<string, unknown>>

function render(parsed: Template[], variables: Variables, goesOn: boolean): string {
  const { engine, Context } = load()
  // A scope without a prototype: `constructor` and `toString` do not exist.
  const scope = Object.assign(Object.create(null) as object, variables)
  const limits = { memoryLimit: undefined, renderLimit: nodeLimit() }
  const options = { ...engine.options, catchAllErrors: goesOn }
  const context = new Context(scope, options, { sync: true }, limits as never)
  const made = String(engine.renderSync(parsed, context as never))
  if (made.length > mostMade) throw new Error('memory alloc limit exceeded')
  return made
}

function nodeLimit() {
  let count = 0
  return {
    use() {},
    check() {
      count++
      if (count > mostNodes) throw new Error('template render limit exceeded')
    },
  }
}

/** Returns the variables that a template takes from outside, in the order of the text. Throws `TemplateError`. */
export function templateNeeds(text: string): TemplateNeed[] {
  const parsed = parse(text)
  const { globals } = guarded(() => load().engine.analyzeSync(parsed, { partials: false }))
  return Object.values(globals)
    .flatMap(([first]) => (first ? [needOf(first)] : []))
    .sort((a, b) => a.line - b.line || a.column - b.column)
}

const needOf = ({ segments, location }: Variable): TemplateNeed => ({
  name: String(segments[0]),
  line: location.row,
  column: location.col,
})

const parse = (text: string): Template[] => guarded(() => load().engine.parse(text))

interface EngineError {
  message?: string
  originalError?: Error
  token?: { getPosition(): [number, number] }
  /** Of a part that went on after its failures. */
  errors?: unknown[]
}

function guarded<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw toTemplateErrors(error)[0]
  }
}

function toTemplateErrors(error: unknown): TemplateError[] {
  if (error instanceof TemplateError) return [error]
  const { message = '', originalError, token, errors } = error as EngineError
  if (errors) return errors.flatMap(toTemplateErrors)
  const place = token?.getPosition() ?? [1, 1]
  const said = (originalError?.message ?? message).replace(/, line:\d+, col:\d+$/, '')
  return [new TemplateError(...explain(said, place))]
}

/** Says in this project's words what the engine refuses. */
function explain(said: string, place: [number, number]): [string, [number, number], string?] {
  const quoted = /"([^"]*)"/.exec(said)?.[1] ?? ''
  const variable = /^undefined variable: (.*)$/s.exec(said)?.[1]
  if (variable !== undefined) return [`there is no ${variable} here`, place]
  if (said.startsWith('undefined filter'))
    return [
      `there is no filter "${said.split(': ')[1]}"`,
      place,
      didYouMean(said.split(': ')[1] ?? '', filters) ?? `Use one of ${filters.toSorted().join(', ')}.`,
    ]
  if (/^tag .* not found$/.test(said))
    return [`there is no tag "${quoted}"`, place, `Use one of ${tags.toSorted().join(', ')}.`]
  if (said.startsWith('parse length'))
    return [`has more than ${mostParsed} characters`, place, 'Make it shorter.']
  if (said.startsWith('memory alloc') || said === 'Invalid string length')
    return [`makes more than ${mostMade} characters`, place, 'Make its loops smaller.']
  if (said.startsWith('template render')) return ['takes too many steps', place, 'Make its loops smaller.']
  if (said.includes('call stack')) return ['nests too deep', place, 'Make it simpler.']
  return [`is no valid template: ${shortenEnd(said, 200)}`, place]
}
