import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/base/random.ts'
import { addMark } from '../../../src/replies/data/judge-mark.ts'
import type { GraphPlan } from '../../../src/schema/graph/plan.ts'
import { judgeStep, planOf, planStep, runsPlan, workOf } from '../../helpers/runs/graph-plans.ts'
import { agentOf, playTrial } from '../../helpers/runs/trial.ts'

/** Two planners, a boss with two rounds and a referee side by side, and a step that reads all of them. */
const plan = (concurrency: number): GraphPlan => {
  const planner = (name: string, order: 'sequential' | 'concurrent') =>
    judgeStep(`p::${name}::plan`, [], {
      parts: [{ pattern: name, kind: 'planner_executor' }],
      does: {
        ...{ kind: 'plan', prefix: `p::${name}::execute::`, max: 3, order, executor: workOf() },
        before: ['end'],
      },
    })
  const boss = workOf({ agent: 'judge', role: 'judge', work: 'judge', prompt: 'lead' })
  return planOf(
    [
      planner('P', 'concurrent'),
      planner('Q', 'sequential'),
      judgeStep('p::H::boss::r1', [], {
        parts: [{ pattern: 'H', kind: 'hierarchical', turn: 1 }],
        does: {
          ...{ kind: 'assign', prefix: 'p::H::', round: 1, rounds: 2, max: 2, boss },
          workers: { anna: workOf(), bert: workOf() },
          before: ['end'],
        },
      }),
      planStep('p::R::one::work'),
      planStep('p::R::two::work'),
      judgeStep('p::R::referee', ['p::R::one::work', 'p::R::two::work'], {
        does: { kind: 'choose', candidates: { one: 'p::R::one::work', two: 'p::R::two::work' } },
      }),
      planStep('end', ['p::P::plan', 'p::Q::plan', 'p::H::boss::r1', 'p::R::referee']),
    ],
    { max_concurrency: concurrency },
  )
}

/** Says what the step and `seed` decide, after as long as `time` says. */
const agentOfTimes = (seed: number, time: (key: string) => number) =>
  agentOf(({ trial: { key }, prompt, schema }) => {
    const random = seededRandom(`${seed} ${key}`)
    const count = 1 + Math.floor(random() * 3)
    const several = <Item>(item: (place: number) => Item) => Array.from({ length: count }, (_, i) => item(i))
    const data = (value: object) => JSON.stringify(addMark(schema, value))
    const worker = () => (random() < 0.5 ? 'anna' : 'bert')
    const text = key.includes('plan')
      ? data({ steps: several((i) => `part ${i} of ${key}`) })
      : key.includes('boss')
        ? data({ tasks: several((i) => ({ worker: worker(), do: `task ${i} of ${key}` })) })
        : key.includes('referee')
          ? data({ winner: random() < 0.5 ? 'A' : 'B', reason: 'so' })
          : `said ${key}, having read ${prompt.length} letters`
    return { text, durationMs: time(key) }
  })

async function played(
  seed: number,
  concurrency: number,
  time: (key: string) => number,
  mode: 'dev' | 'live',
) {
  const strategy = runsPlan(plan(concurrency))
  const { record, steps } = await playTrial({ agent: agentOfTimes(seed, time), strategy, mode })
  expect(record.claimed, record.detail ?? record.outcome.reason).toBe('done')
  const asks = steps.flatMap((step) => (step.kind === 'ask' ? [[step.key, step.prompt] as const] : []))
  return {
    asks: new Map(asks.sort(([a], [b]) => (a < b ? -1 : 1))),
    state: record.state,
    answer: record.answer,
  }
}

describe('a graph with steps that add steps', () => {
  it('has the same expanded plan, prompts and answer whatever the times, for given replies', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(50),
        fc.constantFrom(1, 2, 4, 16),
        fc.nat(),
        async (seed, concurrency, shuffle) => {
          const first = await played(seed, 4, () => 1000, 'dev')
          const time = (key: string) => Math.floor(seededRandom(`${shuffle} ${key}`)() * 5000)
          expect(await played(seed, concurrency, time, 'dev')).toEqual(first)
          expect(await played(seed, concurrency, time, 'live')).toEqual(first)
        },
      ),
      { numRuns: 12 },
    )
  })
})
