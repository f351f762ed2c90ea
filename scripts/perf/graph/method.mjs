// A method that runs one graph: each step asks its agent once, with the replies of the steps that it depends on.
import { defineStrategy, z } from '../../../dist/bench/api.js'
import { promptOf, replyOf, shapes, stepsOf } from './shapes.mjs'

export default defineStrategy({
  name: 'graph',
  summary: 'Runs one graph of steps.',
  roles: { worker: 'produce' },
  options: z.object({ shape: z.enum(shapes).default('chain'), steps: z.number().int().default(10) }),
  async run({ graph, options: { shape, steps } }) {
    const asking = ({ id, after }) => ({
      id,
      after,
      run: async ({ ask }, inputs) =>
        String(
          await ask(
            'worker',
            promptOf(
              id,
              [...inputs.values()].map(({ value }) => value),
            ),
          ),
        ),
    })
    const results = await graph(stepsOf(shape, steps).map(asking), { concurrency: steps })
    const said = [...results].filter(([id, { value }]) => value === replyOf(id))
    if (said.length !== steps) throw new Error(`${said.length} of ${steps} steps gave their reply`)
    return { answer: '391', stopReason: 'done' }
  },
})
