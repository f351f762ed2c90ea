import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Declaration, type GraphNode } from '../../../src/schema/method/declaration.ts'
import {
  agentThatTakes,
  asking,
  shapes,
  stepsOf,
  type TextStep,
  times,
  troubledSteps,
  troubledUpTo,
} from '../../helpers/graph/graphs.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { type AnyContext, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const nodesOf = (shape: readonly { id: string; after: readonly string[] }[]): GraphNode[] =>
  shape.map(({ id, after }) => ({ id, role: 'solver', after }))

const fidelity = async (
  steps: readonly TextStep[],
  graph: readonly GraphNode[],
  ms: (id: string) => number = () => 10,
) => {
  const strategy = strategyOf(async (context: AnyContext) => {
    await context.ask('planner', 'first')
    await context.graph(steps, { concurrency: 3, conflict: 'last' })
    await context.ask('judge', 'last')
    return { stopReason: 'done', answer: '42' }
  })
  const declaration = { flow: ['planner', { graph }, 'judge'], stop: 's', context: 'c' }
  const { record } = await playTrial({ agent: agentThatTakes(ms), strategy: { ...strategy, declaration } })
  return record.fidelity
}

describe('the fidelity of a graph', () => {
  const kept = { status: 'kept' }
  const steps = [asking('a', []), asking('b', ['a']), asking('c', ['a'])]
  const nodes = nodesOf(steps)

  it('is kept by every graph that asks as declared, at any times of replies', async () => {
    const law = fc.asyncProperty(shapes, times, async (shape, times) => {
      const ms = (id: string) => times[Number(id.slice(1))] ?? 0
      expect(await fidelity(stepsOf(shape), nodesOf(shape), ms)).toEqual(kept)
      // The order in which the declaration lists steps that do not depend on each other says nothing.
      expect(await fidelity(stepsOf(shape), nodesOf(shape).toReversed(), ms)).toEqual(kept)
    })
    await fc.assert(law, { numRuns: 15 })
  })

  it('is kept where steps failed or were skipped', async () => {
    const law = fc.asyncProperty(troubledUpTo(15), async (troubled) => {
      const reactions = troubled.reactions.map((one) => (one === 'fail' ? 'skip' : one))
      expect(await fidelity(troubledSteps({ ...troubled, reactions }), nodesOf(troubled.shape))).toEqual(kept)
    })
    await fc.assert(law, { numRuns: 15 })
  })

  it.each<[string, TextStep[], GraphNode[], string]>([
    ['a step that is not declared', steps, nodes.slice(0, 2), 'step "c" asked solver, but is not declared'],
    [
      'a declared step that asked nobody',
      steps.slice(0, 2),
      nodes,
      'step "c" asked nobody, declared is solver',
    ],
    [
      'another role',
      steps,
      [...nodes.slice(0, 2), { id: 'c', role: 'judge' }],
      'step "c" asked solver, declared is judge',
    ],
    [
      'no graph at all',
      [],
      nodes,
      'after planner (1 asked): judge was asked, declared is a graph of 3 steps',
    ],
  ])('is not kept with %s', async (_, steps, nodes, at) => {
    expect(await fidelity(steps, nodes)).toEqual({ status: 'deviates', at })
  })

  it('is kept by several asks of one step, and by added steps with the declared prefix alone', async () => {
    const twice: TextStep = {
      ...asking('a', []),
      run: async ({ ask }) => `${await ask('solver', 'do a')}${await ask('solver', 'do a')}`,
    }
    const adding = asking('b', ['a'], { expand: () => ({ steps: [asking('w1', ['b'])] }) })
    const inserts = (prefix: string) => ({
      id: 'b',
      role: 'solver',
      open: true as const,
      inserts: { prefix, roles: ['solver'] },
    })
    expect(await fidelity([twice, adding], [{ id: 'a', role: 'solver' }, inserts('w')])).toEqual(kept)
    expect(await fidelity([twice, adding], [{ id: 'a', role: 'solver' }, inserts('x')])).toMatchObject({
      at: 'step "w1" asked solver, but is not declared',
    })
  })
})

describe('the declaration of a graph', () => {
  const problems = (graph: unknown) =>
    Declaration.safeParse({ flow: { graph }, stop: 's', context: 'c' }).error?.issues.map(
      ({ path, message }) => `${path.join('.')}: ${message}`,
    )

  it.each<[unknown, string]>(tableOf(import.meta.url, 'checked'))('is checked: %j', (graph, problem) => {
    expect(problems(graph)).toContain(problem)
  })
})
