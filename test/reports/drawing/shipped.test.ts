import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../src/base/package-root.ts'
import { compilePlan } from '../../../src/orchestration/graph/compile-plan.ts'
import { readGraphDocument } from '../../../src/orchestration/graph/read-document.ts'
import { planDot } from '../../../src/reports/drawing/dot.ts'
import { planMermaid } from '../../../src/reports/drawing/mermaid.ts'
import { planText } from '../../../src/reports/drawing/plan-text.ts'
import { GraphPlan } from '../../../src/schema/graph/plan.ts'
import { canonicalJson } from '../../../src/text/canonical-json.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { readDot, readMermaid } from '../../helpers/graph/read-diagrams.ts'

const folder = join(packageRoot(), 'strategies/dag')

it.each(readdirSync(folder))('%s is a plan in every format', (file) => {
  const problems: Problem[] = []
  const read = readGraphDocument(readFileSync(join(folder, file), 'utf8'), file, problems, {
    read: () => 'text',
  })
  expect(problems).toEqual([])
  if (!read) return
  const { document, workflows } = read
  for (const workflow of [undefined, ...workflows]) {
    const plan = compilePlan(document, workflow)
    expect(GraphPlan.parse(JSON.parse(canonicalJson(plan)))).toEqual(plan)
    expect(planText(plan)).toContain(plan.digest)
    const { labels } = readMermaid(planMermaid(plan))
    expect(readDot(planDot(plan)).labels).toEqual(labels)
    const ids = [...labels.values()].map(([id]) => id)
    expect(ids).toEqual(expect.arrayContaining(plan.steps.map(({ id }) => id)))
  }
})
