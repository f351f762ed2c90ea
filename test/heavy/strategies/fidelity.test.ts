import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillShape, textPlace } from '../../../src/agents/simulated/shape-fill.ts'
import { seededRandom } from '../../../src/base/random.ts'
import { resolveOptions } from '../../../src/commands/methods/documents.ts'
import { declarationProblems } from '../../../src/commands/methods/strategy-problems.ts'
import { write } from '../../../src/formats/convert.ts'
import { parseHandOffRequest, requestItem } from '../../../src/formats/hand-off.ts'
import { element } from '../../../src/formats/tree.ts'
import type { Strategy } from '../../../src/strategy.ts'
import { askingStrategies, variants } from '../../helpers/runs/method-variants.ts'
import { agentOf, answerTask, playTrial } from '../../helpers/runs/trial.ts'

/** An agent that says anything that has the right shape, fails now and then, and takes any time. */
const erratic = (seed: number, failing: number) =>
  agentOf(({ prompt, schema, trial, attempt }) => {
    const random = seededRandom(`${seed}/${trial.key}/${attempt}`)
    const durationMs = Math.floor(random() * 3)
    if (random() < failing) return { durationMs, error: { reason: 'refusal', message: 'no' } }
    const approved = random() < 0.5
    const choose = (values: readonly unknown[]) => values[Math.floor(random() * values.length)]
    const text = () => `Answer: ${Math.floor(random() * 3)}`
    const asked = parseHandOffRequest(prompt)
    if (asked) {
      const names = [...asked.items, ...(asked.mayAsk && approved ? [requestItem] : [])]
      const said = names.map((name) => element(name, [{ kind: 'text', text: text() }]))
      return { durationMs, text: write(element('document', said), asked.format) }
    }
    if (!schema) return { durationMs, text: text() }
    const filled = fillShape(schema, { signal: random(), approved, items: 1, text, choose })
    return { durationMs, text: JSON.stringify(filled).replaceAll(textPlace, '') }
  })

describe.each(askingStrategies.map((strategy) => [strategy.name, strategy] as const))(
  '%s',
  (name, strategy) => {
    const options = [{}, ...(variants[name] ?? [])].map((one) =>
      resolveOptions(strategy, strategy.options.parse(one), true),
    )
    const runOf = (agent: ReturnType<typeof erratic>, options: object, played: Strategy = strategy) =>
      playTrial({ agent, strategy: played, options: { ...options }, task: answerTask({}, { 'a.txt': 'A' }) })

    it('declares only its own roles and options', () => {
      expect(strategy.declaration).toBeDefined()
      for (const values of options) expect(declarationProblems(strategy, values)).toEqual([])
    })

    it('keeps to its declaration whatever the agents say', async () => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), fc.constantFrom(...options), fc.boolean(), async (seed, values, fails) => {
          const { record } = await runOf(erratic(seed, fails ? 0.1 : 0), values)
          expect(record.fidelity, `${record.outcome.reason} ${record.detail}`).toEqual({ status: 'kept' })
        }),
        // Each run of a chain starts a dozen programs.
        { numRuns: strategy.programs ? 3 : 12 },
      )
    })

    it('deviates when it asks more than it declares', async () => {
      const more: Strategy = {
        ...strategy,
        run: async (context) => {
          await strategy.run(context)
          const last = Object.keys(strategy.roles)[0] as string
          for (let i = 0; i < 60; i++) await context.ask(last, 'Once more.')
          return { stopReason: 'done' }
        },
      }
      const { record } = await runOf(erratic(1, 0), options[0] ?? {}, more)
      expect(record.fidelity?.status).toBe('deviates')
    })
  },
)
