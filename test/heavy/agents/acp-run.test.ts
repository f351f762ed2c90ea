import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { acpProgram } from '../../helpers/agents/acp-agents.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, root, stepsOf } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const program = acpProgram()

needs('bwrap').it(
  'a run with an agent of the protocol is billed as its server says, and replays and resumes without it',
  async () => {
    const server = await startModelServer([{ text: 'Answer: 42', always: true }])
    try {
      const folder = tempFolder()
      const config = join(folder, 'bench.config.yaml')
      const own = join(folder, 'own.mjs')
      writeFileSync(
        own,
        `import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({ name: 'own', summary: 'Asks.', roles: { solver: 'produce' }, options: z.object({}),
  async run({ ask }) {
    await ask('solver', '[model m][make done]')
    return { answer: await ask('solver', '[model m][read CWD/made.txt]'), stopReason: 'done' }
  } })\n`,
      )
      writeFileSync(
        config,
        `agents:
  mine:
    provider: acp
    model: m
    baseUrl: ${server.url}/v1
    keyVariable: MY_KEY
    prices: { input: 1, output: 2 }
    program:
      command: [${program}, usage]
      env: { MODEL_URL: '{baseUrl}' }
      keyInside: MODEL_KEY
      wires: [chat]\n`,
      )
      const out = join(folder, 'run')
      const env = { MY_KEY: 'sk-a-real-key-0123456789' }
      const args = argv`--mode live --config ${config} --agents mine --methods ${own} --tasks duration-text --trust-code --out ${out}`
      const ended = await bench(args, { env })
      expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 })
      const asks = stepsOf(out).filter((step): step is AskStep => step.kind === 'ask')
      expect(
        asks.map(({ changeSet, sandbox }) => [changeSet?.changes.map(({ path }) => path), sandbox]),
      ).toEqual([
        [['made.txt'], 'full'],
        [[], 'full'],
      ])
      expect(asks[1]?.reply).toMatch(/Answer: 42.*done$/s)
      const used = server.log.map(({ usage }) => [usage?.input ?? 0, usage?.output ?? 0])
      expect(asks.map(({ tokens }) => [tokens.input, tokens.output])).toEqual(used)
      expect(asks.map(({ costUsd }) => costUsd)).toEqual(
        used.map(([input = 0, output = 0]) => (input + 2 * output) / 1e6),
      )
      expect(JSON.stringify(asks)).not.toContain('sk-a-real-key')
      for (const again of [argv`replay ${out}`, argv`--resume ${out} --trust-code`])
        expect(await bench(again, { env })).toMatchObject({ code: 0 })
      expect(server.log).toHaveLength(2)
    } finally {
      await server.close()
    }
  },
)
