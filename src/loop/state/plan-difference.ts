import type { GraphPlanStep } from '../../schema/ledger/step.ts'
import { canonicalJson } from '../../text/canonical-json.ts'

/** What a graph's plan consists of, as it is journaled. */
export type GraphPlan = Pick<GraphPlanStep, 'concurrency' | 'conflict' | 'steps'>

/** How many differences are named. */
const named = 10

/** Describes how the plan of a graph, given as JSON, differs from the journaled one, by the ids of its steps. */
export function describePlanDifference(journaled: GraphPlan, now: string): string {
  const is = JSON.parse(now) as GraphPlan
  const differences = [...settingsOf(journaled, is), ...stepDifferences(journaled.steps, is.steps)]
  const more = differences.length > named ? [`and ${differences.length - named} more`] : []
  return `the graph differs: ${[...differences.slice(0, named), ...more].join('; ')}`
}

const settingsOf = (was: GraphPlan, is: GraphPlan): string[] =>
  (['concurrency', 'conflict'] as const).flatMap((name) =>
    was[name] === is[name] ? [] : [`${name} was ${was[name]}, now ${is[name]}`],
  )

type Steps = GraphPlan['steps']

function stepDifferences(was: Steps, is: Steps): string[] {
  const before = new Map(was.map((step) => [step.id, step]))
  const after = new Map(is.map((step) => [step.id, step]))
  const changed = [
    ...was
      .filter(({ id }) => !after.has(id))
      .map(({ id }) => `step "${id}" is journaled, but not in the graph now`),
    ...is
      .filter(({ id }) => !before.has(id))
      .map(({ id }) => `step "${id}" is in the graph now, but not journaled`),
    ...is.flatMap((step) => fieldDifferences(before.get(step.id), step)),
  ]
  if (changed.length > 0) return changed
  const place = was.findIndex(({ id }, i) => id !== is[i]?.id)
  return place < 0 ? [] : [`its order: step ${place + 1} was "${was[place]?.id}", now "${is[place]?.id}"`]
}

function fieldDifferences(was: Steps[number] | undefined, is: Steps[number]): string[] {
  if (!was) return []
  return (['after', 'onFailure', 'conflict'] as const).flatMap((field) => {
    const [before, now] = [was[field], is[field]].map((value) =>
      value === undefined ? 'not set' : canonicalJson(value),
    )
    return before === now ? [] : [`${field} of step "${is.id}" was ${before}, now ${now}`]
  })
}
