import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { GraphPlan, mostAdded } from '../../../src/schema/graph/plan.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { countSteps, listSites } from '../../../src/workflows/document/list-sites.ts'
import { compilePlan } from '../../../src/workflows/graph/compile-plan.ts'
import type { RawMap } from '../../../src/yaml/raw.ts'
import { planOf, read } from '../../helpers/graph/documents.ts'
import { expectSameAtAnyTimes } from '../../helpers/graph/dynamic-graphs.ts'
import { randomDocument, shuffleKeys } from '../../helpers/graph/random-documents.ts'

const bytes = (text: string) => JSON.stringify(planOf(text))

it('a plan is whole: unique ids, each step after what it needs, and added steps before what needs them', () => {
  const kinds = new Set<string>()
  let most = 0
  fc.assert(
    fc.property(randomDocument, (document) => {
      const plan = planOf(JSON.stringify(document))
      expect(GraphPlan.parse(plan)).toEqual(plan)
      const before = new Set<string>()
      for (const { id, needs, parts } of plan.steps) {
        expect(needs.filter((need) => !before.has(need))).toEqual([])
        expect(before.has(id)).toBe(false)
        before.add(id)
        for (const { kind } of parts) kinds.add(kind)
        if (parts.length > 0) expect(id.startsWith(`p::${parts.at(-1)?.pattern}::`)).toBe(true)
      }
      for (const { id, does } of plan.steps)
        if (does && does.kind !== 'choose')
          expect(does.before).toEqual(
            plan.steps.flatMap((step) => (step.needs.includes(id) ? [step.id] : [])),
          )
      most = Math.max(most, plan.steps.length)
    }),
    { numRuns: 60 },
  )
  expect(kinds.size).toBe(6)
  expect(most).toBeGreaterThan(50)
})

it('a plan has and may add as many steps as the limit counts', () => {
  fc.assert(
    fc.property(randomDocument, (document) => {
      const { steps, workflow } = planOf(JSON.stringify(document))
      const most = steps.reduce((sum, { does }) => sum + mostAdded(does), steps.length)
      const { workflows, run } = document as unknown as Record<string, Record<string, RawMap>>
      expect(countSteps(listSites(run?.workflow ?? workflows?.[workflow] ?? {}, []))).toBe(most)
    }),
    { numRuns: 60 },
  )
})

it('a document gives the same plan in YAML and JSON, with its keys in any order, and with all that it leaves out', () => {
  fc.assert(
    fc.property(randomDocument, fc.string(), (document, salt) => {
      const plan = bytes(JSON.stringify(document))
      const shuffled = shuffleKeys(document, (key) => Number.parseInt(sha256(key + salt).slice(0, 8), 16))
      expect(bytes(`# a comment\n${stringify(shuffled)}`)).toBe(plan)
      const resolved = read(JSON.stringify(document)).document
      expect(bytes(stringify(resolved))).toBe(plan)
      expect(JSON.stringify(compilePlan(read(stringify(shuffled)).document))).toBe(plan)
    }),
    { numRuns: 30 },
  )
})

it('a plan of 2,000 steps is compiled quickly', () => {
  const steps = Array.from(
    { length: 2000 },
    (_, i) => `- { id: s${i}, task: t${i > 0 ? `, needs: [s${i - 1}]` : ''} }`,
  )
  const text = `version: "0.5"
agents: { a: {} }
tasks: { t: { agent_ref: a, prompt: x } }
run:
  workflow:
    kind: concurrent
    steps:
${steps
  .reverse()
  .map((step) => `      ${step}`)
  .join('\n')}
`
  const { document } = read(text)
  const start = performance.now()
  const plan = compilePlan(document)
  const duration = performance.now() - start
  expect(plan.steps.map(({ id }) => id)).toEqual(steps.map((_, i) => `s${i}`))
  // It takes some 20 ms; a busy machine may take its time.
  expect(duration).toBeLessThan(2000)
})

describe('documents of patterns in patterns', () => {
  it('come to the same steps, prompts and files at any concurrency and any times of replies', async () => {
    await expectSameAtAnyTimes(randomDocument, { numRuns: 2 })
  })
})
