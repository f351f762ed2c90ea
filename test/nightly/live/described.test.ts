import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describedClis } from '../../helpers/agents/described-clis.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { asksOf, root } from '../../helpers/runs/cli.ts'
import {
  counted,
  liveArgs,
  liveSetting,
  logByTrial,
  patience,
  runLive,
  tokensOf,
} from '../../live/live-run.ts'

const method = `
import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({
  name: 'twice',
  summary: 'One session, asked twice.',
  roles: { solver: 'decide' },
  options: z.object({}),
  async run({ ask }) {
    await ask('solver', 'Say one.', { session: 's' })
    return { answer: await ask('solver', 'Say two.', { session: 's' }), stopReason: 'done' }
  },
})
`

it.each([
  { name: 'claude', model: 'claude-sonnet-4-5', version: '' },
  { name: 'codex', model: 'gpt-5', version: '/v1' },
  { name: 'gemini', model: 'gemini-2.5-pro', version: '' },
  { name: 'qwen', model: 'qwen3-coder', version: '/v1' },
  { name: 'opencode', model: 'local-model', version: '/v1' },
] as const)(
  '$name, described only by a config file, resumes sessions and reports the server’s token counts',
  async ({ name, model, version }) => {
    const setting = await liveSetting(({ messages }) => ({
      text: messages.some(({ text }) => text.includes('Say two.')) ? 'TWO' : 'ONE',
      usage: { cached: 3 },
    }))
    const cwd = tempFolder()
    const file = join(cwd, 'twice.mjs')
    writeFileSync(file, method)
    const agent = {
      provider: 'cli',
      model,
      baseUrl: `${setting.server.url}${version}`,
      keyVariable: 'OPENAI_API_KEY',
      program: describedClis[name],
    }
    // What is JSON is YAML.
    writeFileSync(join(cwd, 'bench.config.yaml'), JSON.stringify({ agents: { mine: agent } }))
    await runLive(setting, liveArgs(setting.folder, 'mine', 'ferry-morning', file), { cwd })

    const asks = asksOf(setting.folder)
    expect(asks.map(({ reply, continued, error }) => [reply, continued, error])).toEqual([
      ['ONE', undefined, undefined],
      ['TWO', 'resumed', undefined],
    ])
    const log = [...logByTrial(setting).values()].flat()
    expect(asks.map(tokensOf)).toEqual(log.map(counted))
    expect(JSON.stringify(log[1]?.body)).toMatch(/Say one\..*ONE.*Say two\./)
  },
  patience,
)
