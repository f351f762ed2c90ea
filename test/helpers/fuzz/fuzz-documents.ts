import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import { GraphPlan } from '../../../src/schema/graph/plan.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { readGraphDocument } from '../../../src/workflows/document/read-graph.ts'
import { compilePlan } from '../../../src/workflows/graph/compile-plan.ts'
import { badDocuments } from '../graph/bad-documents.ts'
import { randomDocument } from '../graph/random-documents.ts'
import { expectProblems, type Fuzz } from './fuzz.ts'
import { damage } from './mutations.ts'
import { placesIn } from './places.ts'

/** Declares the tests that damage documents of graphs. */
export function fuzzDocuments(fuzz: Fuzz): void {
  it(`bench refuses a damaged graph document with line, column and field, or compiles it (${fuzz.times})`, async () => {
    const bad = fc.constantFrom(...Object.values(badDocuments).flatMap((all) => all.map(([, text]) => text)))
    const good = randomDocument.map((document) => stringify(document))
    await fuzz.check([fc.oneof(good, bad), damage], (text, mutate) =>
      check(mutate(Buffer.from(text)).toString()),
    )
  })

  it(`bench refuses a graph document with a changed field, or compiles it (${fuzz.times})`, async () => {
    const strange = fc.oneof(
      fc.constantFrom(
        null,
        '',
        0,
        -1,
        1.5,
        true,
        'a',
        'main',
        'constructor',
        'p::a',
        'debate',
        'make',
        'plan',
        'n0_0',
        'end',
      ),
      fc.constantFrom([], {}, ['a'], [['a']], { a: 1 }, { id: 'x', task: 'make' }, { pattern: 'linear' }),
      fc.jsonValue({ maxDepth: 2 }),
    )
    await fuzz.check(
      [randomDocument, fc.nat(), strange, fc.boolean()],
      (document, place, value, isRemoved) => {
        const changed = structuredClone(document)
        const places = placesIn(changed)
        const [parent, key] = places[place % places.length] ?? [changed, 'version']
        if (isRemoved) delete parent[key]
        else parent[key] = value
        check(JSON.stringify(changed))
      },
    )
  })
}

/** A document is refused with places and remedies, or is the same when what was read is written and read again. */
function check(text: string): void {
  const problems: Problem[] = []
  const file = readGraphDocument(text, 'graph.yaml', problems, { read: () => 'Read.' })
  if (!file) {
    expectProblems(problems, /^graph\.yaml(:\d+:\d+( .+)?)?$/s)
    return
  }
  expect(problems).toEqual([])
  const plan = compilePlan(file.document)
  expect(GraphPlan.parse(plan)).toEqual(plan)
  expect(new Set(plan.steps.map(({ id }) => id)).size).toBe(plan.steps.length)
  const again = readGraphDocument(stringify(file.document), 'again.yaml', problems, { read: () => undefined })
  expect(problems).toEqual([])
  expect(again && compilePlan(again.document)).toEqual(plan)
}
