import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fillShape, textPlace } from '../../src/agents/simulated/shape-fill.ts'
import { packageRoot } from '../../src/base/package-root.ts'
import { seededRandom } from '../../src/base/random.ts'
import { strategyFromFile } from '../../src/commands/methods/own-strategy.ts'
import { strategies } from '../../strategies/index.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { variants } from '../helpers/runs/method-variants.ts'
import { agentOf, answerTask, playTrial } from '../helpers/runs/trial.ts'

/** A user's copy of a built-in method: the same text, but all that it imports is from the package. */
async function copyOf(name: string) {
  const text = readFileSync(join(packageRoot(), `strategies/${name}.ts`), 'utf8')
  const path = join(tempFolder(), 'copy.ts')
  writeFileSync(path, text.replace(/ from '(?:\.\.\/src\/.*|zod)'/g, " from 'orchestration-bench'"))
  return (await strategyFromFile(path)).strategy
}

/** Gives random replies of the right shape, and sometimes none. */
const agent = agentOf(({ schema, trial, attempt }) => {
  const random = seededRandom(`${trial.key}/${attempt}`)
  if (random() < 0.1) return { error: { reason: 'refusal', message: 'no' } }
  const choose = (values: readonly unknown[]) => values[Math.floor(random() * values.length)]
  const text = () => `FILE: a.txt\n\`\`\`\n${random()}\n\`\`\`\nAnswer: ${Math.floor(random() * 3)}`
  if (!schema) return text()
  const filled = fillShape(schema, { signal: random(), approved: random() < 0.5, items: 1, text, choose })
  return JSON.stringify(filled).replaceAll(textPlace, '')
})

// The own modules of sequential and collaboration are not part of the package.
describe.each([
  'baseline',
  'self-consistency',
  'best-of',
  'retry',
  'consensus',
  'cascade',
  'router',
  'integrated',
])('a user’s copy of %s', (name) => {
  it('asks the same agents the same, byte for byte, and ends as the built-in method does', async () => {
    const builtIn = strategies.find((strategy) => strategy.name === name)
    const copy = await copyOf(name)
    const task = answerTask({ editable: ['**'] }, { 'a.txt': 'A\n', 'b.md': '```\nfenced\n```\n' })
    for (const given of [{}, ...(variants[name] ?? [])]) {
      const options = copy.options.parse(given)
      const own = await playTrial({ agent, strategy: copy, options, task })
      const expected = await playTrial({ agent, strategy: builtIn as typeof copy, options, task })
      const prompts = own.steps.flatMap((step) => (step.kind === 'ask' ? [step.prompt] : []))
      expect(prompts.join()).toContain('````\n```\nfenced')
      expect(own.steps).toEqual(expected.steps)
      expect({ ...own.record, wall: {} }).toEqual({ ...expected.record, wall: {} })
    }
  })
})
