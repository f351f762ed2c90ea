import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, it } from 'vitest'
import { createSummary } from '../../../src/analysis/summarize.ts'
import { renderJUnit } from '../../../src/reports/formats/junit.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { aRecord } from '../../analysis/records.ts'
import { tableOf } from '../../helpers/house/tables.ts'

/** What Jenkins' junit-10.xsd allows of what is written: attributes, and elements in their order. */
const schema: Record<string, { attributes: string[]; required: string[]; elements: string[] }> = tableOf(
  import.meta.url,
  'schema',
)

interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}
// biome-ignore lint/suspicious/noExplicitAny: the parser's own form
function elements(nodes: any[]): Element[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ':@') as string
    if (name === '#text' || name.startsWith('?')) return []
    const children = node[name]
    const text = children.map((child: Record<string, string>) => child['#text'] ?? '').join('')
    return [{ name, attributes: node[':@'] ?? {}, children: elements(children), text }]
  })
}

/** Parses a file and holds every element against the schema. */
function parsed(xml: string): Element {
  expect(XMLValidator.validate(xml)).toBe(true)
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    trimValues: false,
    parseTagValue: false,
    parseAttributeValue: false,
  })
  const roots = elements(parser.parse(xml))
  expect(roots.map(({ name }) => name)).toEqual(['testsuites'])
  const check = ({ name, attributes, children }: Element) => {
    const allowed = schema[name]
    expect(allowed, name).toBeDefined()
    for (const key of Object.keys(attributes)) expect(allowed?.attributes).toContain(key)
    for (const key of allowed?.required ?? []) expect(attributes).toHaveProperty(key)
    const places = children.map((child) => allowed?.elements.indexOf(child.name) ?? -1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places).not.toContain(-1)
    children.forEach(check)
  }
  roots.forEach(check)
  return roots[0] as Element
}

function junit(records: readonly TrialRecord[]): Element {
  const builder = createSummary({ baseline: null })
  for (const record of records) builder.add(record)
  const run = { run: 'results/my run', createdAt: '2026-01-02T03:04:05.678Z', summary: builder.result() }
  const [suite] = parsed([...renderJUnit(records, run)].join('')).children
  return suite as Element
}

const judged = { name: 'tests', value: 0.5, reason: '1 of 2 tests failed: adds < 3 & "more"' }
const records: TrialRecord[] = [
  aRecord(),
  aRecord({ epoch: 2, passed: false, scores: [{ name: 'style', value: 1, reason: 'fine' }, judged] }),
  {
    ...aRecord({ method: 'b', status: 'error' }),
    outcome: { status: 'error', reason: 'the server is gone' },
  },
  aRecord({ method: 'b', epoch: 2, passed: null }),
  {
    ...aRecord({ method: 'b', epoch: 3, passed: false }),
    outcome: { status: 'limited', reason: 'calls: 5 of 5' },
  },
]

describe('a JUnit file', () => {
  it('has a testcase for each trial, and counts them by their result', () => {
    const { attributes, children } = junit(records)
    expect(attributes).toEqual({
      ...{ name: 'results/my run', tests: '5', failures: '2', errors: '1', skipped: '1' },
      timestamp: '2026-01-02T03:04:05',
    })
    const cases = children.filter(({ name }) => name === 'testcase')
    expect(cases.map(({ attributes, children }) => [attributes.name, children[0]?.name])).toEqual([
      ['a, epoch 1', undefined],
      ['a, epoch 2', 'failure'],
      ['b, epoch 1', 'error'],
      ['b, epoch 2', 'skipped'],
      ['b, epoch 3', 'failure'],
    ])
    expect(cases[0]?.attributes).toMatchObject({ classname: 's/1', time: '1.000' })
  })

  it('gives the grader’s reason, how the trial ended, and the command that shows it', () => {
    const [, , failed, broken, , limited] = junit(records).children.map(({ children }) => children[0])
    expect(failed?.attributes).toEqual({ message: judged.reason, type: 'completed' })
    expect(failed?.text).toContain(`style 1: fine\ntests 0.5: ${judged.reason}\nended as completed`)
    expect(failed?.text).toContain("bench show 'results/my run' s/1|a|2")
    expect(broken?.attributes.message).toBe('error: the server is gone')
    expect(limited?.attributes).toEqual({ message: 'limited: calls: 5 of 5', type: 'limited' })
  })

  it('states that simulated results describe a profile', () => {
    const [properties] = junit([aRecord({ simulated: true, profile: 'default@1' })]).children
    expect(properties?.children[0]?.attributes.value).toContain('describe profile default@1')
  })

  it('stays well-formed with any names and reasons', () => {
    const nasty = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(']]>', '\u0000\u001b[31m', '\ud800', '\uffff\ufffe', '<!--', '&#0;', '\r\n\t'),
    )
    fc.assert(
      fc.property(nasty, nasty, nasty, (task, name, reason) => {
        const scores = [{ name, value: 0, reason }]
        const { children } = junit([
          aRecord({ task: `s/${task}`, method: `m${name}`, passed: false, scores }),
          {
            ...aRecord({ task: `s/${task}`, method: 'x', status: 'error' }),
            outcome: { status: 'error', reason },
          },
        ])
        expect(children.map(({ children }) => children.at(-1)?.name)).toEqual([
          'property',
          'failure',
          'error',
        ])
      }),
    )
  })
})
