import { XMLParser, XMLValidator } from 'fast-xml-parser'
import type { TestFailure } from '../../src/schema/stage/tool-reports.ts'

/** A `testcase` of JUnit XML. */
export interface JunitCase {
  /** The names of the suites that it is in, outermost first. */
  suites: readonly string[]
  name: string
  className: string
  file?: string
  line?: number
  /** Its `failure` and `error` elements. */
  problems: readonly JunitProblem[]
  isSkipped: boolean
  /** Node's word for a test that may fail. */
  isTodo: boolean
}

export interface JunitProblem {
  kind: 'failure' | 'error'
  type: string
  message: string
  text: string
}

/** The cases of a file, with the failed ones that its root says it has; or why it cannot be read. */
type Junit = { cases: readonly JunitCase[]; declaredFailed?: number } | { unreadable: string }

// Entities are decoded here: the parser counts those of XML itself against its limit for expanded ones.
const parser = new XMLParser({
  ignoreAttributes: false,
  captureMetaData: true,
  // Node writes an attribute `failure` beside the element `failure`.
  attributeNamePrefix: '@',
  textNodeName: '#text',
  cdataPropName: '#cdata',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
  isArray: (name) => ['testsuite', 'testcase', 'failure', 'error', 'skipped', '#cdata'].includes(name),
})

type Tag = { readonly [name: string | symbol]: unknown }

/** Reads JUnit XML, however suites are nested. The parser takes a file that was cut off for a whole one, so it is validated first. */
export function readJunitXml(xml: string): Junit {
  const text = xml.replace(/^\uFEFF/, '').trim()
  if (text === '') return { unreadable: 'the JUnit file is empty' }
  if (/<!DOCTYPE/i.test(text)) return { unreadable: 'the JUnit file holds a DOCTYPE' }
  if (XMLValidator.validate(text) !== true) return { unreadable: 'the JUnit file is cut off, or is not XML' }
  try {
    const root = parser.parse(text) as Tag
    if (root.testsuites === undefined && root.testsuite === undefined)
      return { unreadable: 'the JUnit file holds no test suites' }
    const suites = tag(root.testsuites ?? root)
    // The parser groups tags by name; a runner's list of failures has the order of the file.
    const cases = casesOf(suites, [])
      .sort((a, b) => a.startsAt - b.startsAt)
      .map(({ startsAt: _, ...one }) => one)
    const declaredFailed = declared(suites)
    return { cases, ...(declaredFailed !== undefined && { declaredFailed }) }
  } catch (error) {
    return { unreadable: `the JUnit file cannot be read: ${(error as Error).message}` }
  }
}

type PlacedCase = JunitCase & { startsAt: number }

function casesOf(suite: Tag, suites: readonly string[]): PlacedCase[] {
  const own = list(suite.testcase).map((one) => ({ ...caseOf(one, suites), startsAt: startOf(one) }))
  const inner = innerSuites(suite).flatMap((one) => casesOf(one, [...suites, attribute(one, 'name')]))
  return [...own, ...inner]
}

const noSuites = new Set(['testcase', 'properties', 'system-out', 'system-err'])

/** Returns the elements that may hold cases. Node has called a suite `undefined`. */
function innerSuites(suite: Tag): Tag[] {
  const named = Object.entries(suite).filter(([name]) => !/^[@#?]/.test(name) && !noSuites.has(name))
  return named.flatMap(([, value]) => list([value].flat()))
}

function caseOf(one: Tag, suites: readonly string[]): JunitCase {
  const [file, line] = [attribute(one, 'file'), Number(attribute(one, 'line'))]
  return {
    suites,
    name: attribute(one, 'name'),
    className: attribute(one, 'classname'),
    ...(file !== '' && { file }),
    ...(Number.isInteger(line) && line >= 0 && attribute(one, 'line') !== '' && { line }),
    problems: [...problems(one, 'failure'), ...problems(one, 'error')],
    isSkipped: one.skipped !== undefined,
    isTodo: list(one.skipped).some((skipped) => attribute(skipped, 'type') === 'todo'),
  }
}

const problems = (one: Tag, kind: JunitProblem['kind']): JunitProblem[] =>
  list(one[kind]).map((problem) => ({
    kind,
    type: attribute(problem, 'type'),
    message: attribute(problem, 'message'),
    text: decode(String(problem['#text'] ?? '')) + cdata(problem),
  }))

function declared(suites: Tag): number | undefined {
  const counts = [suites, ...list(suites.testsuite)].map((one) =>
    one['@failures'] === undefined ? undefined : Number(one['@failures']) + Number(one['@errors'] ?? 0),
  )
  const [whole, ...parts] = counts
  if (whole !== undefined) return whole
  const known = parts.filter((part) => part !== undefined)
  return known.length === 0 || known.length < parts.length ? undefined : known.reduce((a, b) => a + b, 0)
}

const metaData = XMLParser.getMetaDataSymbol() as symbol
const startOf = (one: Tag) => (one[metaData] as { startIndex?: number } | undefined)?.startIndex ?? 0

/** A tag without attributes is its text. */
const tag = (value: unknown): Tag =>
  typeof value === 'object' && value !== null ? (value as Tag) : { '#text': value }
const list = (value: unknown): Tag[] => (Array.isArray(value) ? value.map(tag) : [])
const attribute = (one: Tag, name: string): string => decode(String(one[`@${name}`] ?? ''))
const cdata = (one: Tag): string =>
  (Array.isArray(one['#cdata']) ? one['#cdata'] : [])
    .map((part) => String(tag(part)['#text'] ?? part))
    .join('')

const names: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Decodes the entities of XML and numeric ones; others stay as they are. */
function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return names[name] ?? whole
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD'
  })
}

/** What a test runner's JUnit XML and output come to. */
export interface SuiteRun {
  failures: readonly TestFailure[]
  /** More than passed, failed and were skipped, if some never ran. */
  total: number
  passed: number
  skipped: number
  /** What the output says beside the tests, which no failure holds; and why it matters. */
  beside?: { reason: string; text: string }
}
