import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import type { GraphStep } from '../../../src/graph.ts'
import { type AnyContext, agentOf, type playTrial, strategyOf } from '../../helpers/runs/trial.ts'

/** A step of a random graph. */
export interface ShapedStep {
  id: string
  after: string[]
  /** What a failure of its agent means; undefined: its agent never fails. */
  fails?: 'fail' | 'skip' | 'continue'
}

/** A random graph, and how long the agent of each step takes; ms. */
export interface RandomGraph {
  shape: ShapedStep[]
  times: number[]
}

const idOf = (i: number) => `s${String(i).padStart(3, '0')}`

/** Graphs of this many steps at most, of which each depends on at most four before it. One in `oneOf` fails by one of these policies. */
export function randomGraphs(
  most: number,
  policies: readonly NonNullable<ShapedStep['fails']>[] = [],
  oneOf = 8,
): fc.Arbitrary<RandomGraph> {
  const step = fc.record({
    needs: fc.array(fc.nat(), { maxLength: 4 }),
    fault: fc.nat(oneOf * Math.max(policies.length, 1) - 1),
    time: fc.nat(20),
  })
  return fc.array(step, { minLength: 1, maxLength: most, size: 'max' }).map((all) => ({
    shape: all.map(({ needs, fault }, i) => ({
      id: idOf(i),
      after: [...new Set(i === 0 ? [] : needs.map((need) => idOf(need % i)))],
      fails: policies[fault],
    })),
    times: all.map(({ time }) => time),
  }))
}

/** A method whose steps ask for a text, with what they were given and the files that they see, and write it into a file of their own. */
export const graphMethod = (shape: readonly ShapedStep[], concurrency: number) =>
  strategyOf(async (context: AnyContext) => {
    const results = await context.graph(shape.map(stepOf), { concurrency })
    const files = context.workspace.list().map((path) => `${path}: ${context.workspace.read(path)}`)
    return {
      stopReason: 'done',
      answer: '42',
      state: { results: [...results].map(([id, { status }]) => `${id} ${status}`).sort(), files },
    }
  })

const stepOf = ({ id, after, fails }: ShapedStep): GraphStep<AnyContext, string> => ({
  id,
  after,
  onFailure: fails,
  async run({ ask, workspace }, inputs) {
    const given = [...inputs].map(
      ([name, one]) => `${name}=${one.status === 'done' ? one.value : one.status}`,
    )
    const show = { given: given.join('; '), files: workspace.list().join(' ') }
    const reply = await ask('judge', `do ${id}`, { show })
    workspace.apply([{ path: `${id}.txt`, content: `${reply} after ${given.join('; ')}` }])
    return `${reply}`
  },
})

/** Says the name of the step, or fails where the graph says so. With `waits` it is paid and really takes a part of the step's time. */
export const agentOfGraph = (
  { shape, times }: RandomGraph,
  waits?: 'waits',
  onAsk?: (id: string) => void,
) => {
  const failing = new Set(shape.flatMap(({ id, fails }) => (fails ? [id] : [])))
  return agentOf(
    async ({ prompt }: AgentRequest) => {
      const id = /do (s\d+)/.exec(prompt)?.[1] ?? ''
      const durationMs = times[Number(id.slice(1))] ?? 0
      onAsk?.(id)
      if (waits) await setTimeout(durationMs / 4)
      if (!failing.has(id)) return { text: `said ${id}`, durationMs }
      return { text: '', durationMs, error: { reason: 'refusal', message: `${id} says nothing` } }
    },
    waits ? { paid: true } : {},
  )
}

export type Played = Awaited<ReturnType<typeof playTrial>>

/** What the agents were asked, without when. */
export const promptsOf = ({ steps }: Played) =>
  steps.flatMap((step) => (step.kind === 'ask' ? [`${step.key} ${step.prompt}`] : [])).sort()

/** The order in which steps ended, as the journal has it. */
export const orderOf = ({ steps }: Played) =>
  steps.flatMap((step) => (step.kind === 'graph' ? [step.step] : []))

/** When each step began and ended on the clock. */
export const spansOf = ({ steps }: Played) =>
  new Map(
    steps.flatMap((step) =>
      step.kind === 'ask'
        ? [[step.key.slice(6, 10), { from: step.at, to: step.at + step.durationMs }] as const]
        : [],
    ),
  )

/** The record, but for what differs between equal trials. */
export const withoutWall = ({ record: { wall: _, ...rest } }: Played) => rest
