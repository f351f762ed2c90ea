import type { Problem } from '../../text/errors.ts'
import { createListSplitter } from '../files/read-json-list.ts'

/** A call and what it must return, as Python literals. */
export interface TestCase {
  values: string[]
  expected: string
  /** How far a number may be off, as a literal. */
  tolerance?: string
}

interface TestCases {
  cases: TestCase[]
  skipped: number
}

/**
 * Reads the cases of a program: a line of JSON each, `[arguments, result]`. `pytest` is the suite's own test file, as far as it is
 * there: it says which cases take too long, and how near a number must be.
 */
export function readCases(lines: string, pytest: string, path: string): TestCases | { problems: Problem[] } {
  const rules = compact(pytest)
  const found: TestCases = { cases: [], skipped: 0 }
  const problems: Problem[] = []
  for (const [i, line] of lines.split('\n').entries()) {
    if (line.trim() === '') continue
    const parts = readLine(line)
    if ('what' in parts)
      problems.push({ where: `${path}:${i + 1}`, what: parts.what, fix: 'Write [arguments, result].' })
    else if (rules.includes(`input_data==${compact(parts.values)}:pytest.skip(`)) found.skipped++
    else found.cases.push(toCase(parts, rules))
  }
  if (problems.length > 0) return { problems }
  if (found.cases.length > 0) return found
  return {
    problems: [{ where: path, what: 'contains no case', fix: 'Write [arguments, result] on a line.' }],
  }
}

/** Code without its layout, so that Python and JSON can be compared. */
const compact = (text: string) => text.replace(/\s+/g, '').replace(/,(?=[\]})])/g, '')

function readLine(line: string): { values: string; expected: string } | { what: string } {
  try {
    JSON.parse(line)
  } catch (error) {
    return { what: `is not JSON: ${(error as Error).message}` }
  }
  const [values, expected, ...others] = jsonItems(line) ?? []
  if (values === undefined || expected === undefined || others.length > 0)
    return { what: 'is not a list of arguments and result' }
  return { values, expected }
}

function toCase({ values, expected }: { values: string; expected: string }, rules: string): TestCase {
  // A single value stands for a list of one argument.
  const literals = (jsonItems(values) ?? [values]).map(pythonLiteral)
  const place = /pytest\.approx\(expected,abs=input_data\[(-?\d+)\]\)/.exec(rules)?.[1]
  const tolerance = place === undefined ? undefined : literals.at(Number(place))
  return {
    values: literals,
    expected: pythonLiteral(expected),
    ...(tolerance !== undefined && { tolerance }),
  }
}

const token = /"(?:\\.|[^"\\])*"|\b(?:true|false|null)\b/g
const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

/** Returns valid JSON as a Python literal. Numbers keep their digits: 3.0 is not 3, and a long whole number stays exact. */
const pythonLiteral = (json: string): string =>
  json.trim().replace(token, (found) => words[found] ?? JSON.stringify(JSON.parse(found)))

function jsonItems(json: string): string[] | undefined {
  const list = createListSplitter()
  const items = list.feed(json).map(({ text }) => text.trim())
  return list.problem() === undefined ? items : undefined
}
