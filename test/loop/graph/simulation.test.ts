import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  agentThatTakes,
  agentThatWaits,
  asking,
  graphStrategy,
  orderOf,
  shapesUpTo,
  stepsOf,
  type TextStep,
  times,
} from '../../helpers/graph/graphs.ts'
import { type AnyContext, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

type Shape = readonly { id: string; after: readonly string[] }[]

/** The rules of the scheduler in dev mode, in a few lines of their own: when each step begins, and in which order they end. */
function simulate(shape: Shape, concurrency: number, ms: (id: string) => number) {
  const begins = new Map<string, number>()
  const running = new Map<string, number>()
  const ended: string[] = []
  let now = 0
  const nextReady = () =>
    shape
      .flatMap(({ id, after }) =>
        !begins.has(id) && after.every((need) => ended.includes(need)) ? [id] : [],
      )
      .sort()[0]
  for (;;) {
    for (let id = nextReady(); id !== undefined && running.size < concurrency; id = nextReady()) {
      begins.set(id, now)
      running.set(id, now + ms(id))
    }
    const [first] = [...running].sort(([a, one], [b, other]) => one - other || (a < b ? -1 : 1))
    if (!first) return { begins, ended, now }
    now = first[1]
    running.delete(first[0])
    ended.push(first[0])
  }
}

it('steps of a graph begin and end when a simulation of the rules says, whatever their ids', async () => {
  const salts = fc.array(fc.nat(99), { minLength: 20, maxLength: 20 })
  const concurrency = fc.integer({ min: 1, max: 5 })
  const law = fc.asyncProperty(
    shapesUpTo(20),
    salts,
    concurrency,
    times,
    async (shape, salts, most, times) => {
      // The order of ids is not that of the plan.
      const renamed = (id: string) => `${salts[Number(id.slice(1))]}-${id}`
      const steps = shape.map(({ id, after }) => ({ id: renamed(id), after: after.map(renamed) }))
      const ms = (id: string) => times[Number(id.split('-s')[1])] ?? 0
      const strategy = graphStrategy(stepsOf(steps), { concurrency: most })
      const played = await playTrial({ agent: agentThatTakes(ms), strategy })
      const { begins, ended, now } = simulate(steps, most, ms)
      const asks = played.steps.flatMap((step) =>
        step.kind === 'ask' ? [[step.key.slice('graph/'.length, -'#0'.length), step.at] as const] : [],
      )
      expect(new Map(asks)).toEqual(begins)
      expect(orderOf(played)).toEqual(ended)
      expect(played.record.durationMs).toBe(now)
      expect(played.record.spent.calls).toBe(shape.length)
    },
  )
  await fc.assert(law, { numRuns: 20 })
})

const limitOf = {
  calls: (most: number) => ({ calls: most }),
  tokens: (most: number) => ({ tokens: most * 110 }),
  // Half a call less, since sums of cents are not exact.
  costUsd: (most: number) => ({ costUsd: Math.max(0, most - 0.5) * 0.01 }),
  checks: (most: number) => ({ checks: most }),
}

it.each(['dev', 'live'] as const)(
  'a limit refuses exactly the steps with too much before them, in %s mode, at any concurrency',
  async (mode) => {
    const kinds = fc.constantFrom('calls', 'tokens', 'costUsd', 'checks')
    const numbers = fc.record({ concurrency: fc.integer({ min: 1, max: 5 }), most: fc.nat(5) })
    const law = fc.asyncProperty(
      shapesUpTo(15),
      times,
      kinds,
      numbers,
      async (shape, times, kind, numbers) => {
        const { concurrency, most } = numbers
        const steps = shape.map(
          ({ id, after }): TextStep => ({
            ...asking(id, after),
            async run({ ask, workspace }) {
              if (kind === 'checks') await workspace.check()
              return `${await ask('solver', `do ${id}`)}`
            },
          }),
        )
        const strategy = strategyOf(async (context: AnyContext) => {
          await context.graph(steps, { concurrency })
          return { stopReason: 'done', answer: '42' }
        })
        const ms = (id: string) => times[Number(id.slice(1))] ?? 0
        const agent = mode === 'dev' ? agentThatTakes(ms) : agentThatWaits(ms)
        const { record, steps: lines } = await playTrial({
          agent,
          strategy,
          mode,
          limits: limitOf[kind](most),
        })
        const before = new Map<string, Set<string>>()
        for (const { id, after } of shape)
          before.set(id, new Set(after.flatMap((need) => [need, ...(before.get(need) ?? [])])))
        // What is behind a refused step has at least as much before it.
        const allowed = shape.flatMap(({ id }) => ((before.get(id)?.size ?? 0) < most ? [id] : []))
        const asked = lines.flatMap((line) =>
          line.kind === 'ask' ? [/graph\/(.*)#/.exec(line.key)?.[1]] : [],
        )
        expect(asked.sort()).toEqual(allowed.sort())
        expect(record.outcome.status).toBe(allowed.length < shape.length ? 'limited' : 'completed')
      },
    )
    await fc.assert(law, { numRuns: 20 })
  },
)
