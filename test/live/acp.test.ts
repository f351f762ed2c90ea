import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AskStep } from '../../src/schema/ledger/step.ts'
import type { RunManifest } from '../../src/schema/run/run.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { asksOf, bench, recordsOf, root } from '../helpers/runs/cli.ts'
import type { LogEntry } from '../model-server/log.ts'
import { acpAgents, writing } from './clients.ts'
import { counted, liveArgs, liveSetting, patience, runLive, sumOf, tokensOf } from './live-run.ts'

const method = `
import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
const session = 's'
export default defineStrategy({
  name: 'talk',
  summary: 'One session, asked twice.',
  roles: { solver: 'decide' },
  options: z.object({}),
  async run({ ask }) {
    await ask('solver', 'Say one.', { session })
    return { answer: await ask('solver', 'Say two.', { session }), stopReason: 'done' }
  },
})
`

const sum = (asks: readonly AskStep[]) =>
  asks.map(tokensOf).reduce((all, own) => all.map((part, i) => (part ?? 0) + (own[i] ?? 0)))
const asked = (log: readonly LogEntry[]) => log.filter(({ number }) => number > 0)

it.each(acpAgents)(
  '$agent solves a code task with its own tools, which ask for permission, to the token',
  async ({ agent, shell }) => {
    const path = 'src/parse-duration.mjs'
    const solution = readFileSync(join(root, 'tasks/code/duration-text/solution', path), 'utf8')
    const setting = await liveSetting(({ messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { text: 'It is done.' }
        : { text: 'I work.', toolCalls: [shell(`${writing(path, solution)}; sleep 1`)] },
    )
    await runLive(setting, liveArgs(setting.folder, agent, 'duration-text', 'baseline'))
    expect(recordsOf(setting.folder)).toMatchObject([{ passed: true, outcome: { status: 'completed' } }])
    const asks = asksOf(setting.folder)
    expect(asks).toMatchObject([{ reply: 'It is done.', changeSet: { changes: [{ path }] } }])
    expect(sum(asks)).toEqual(sumOf(asked(setting.server.log)))
    expect(asks[0]?.requests).toBe(asked(setting.server.log).length)
    const manifest = JSON.parse(readFileSync(join(setting.folder, 'run.json'), 'utf8')) as RunManifest
    expect(manifest.agentVersions?.[agent]).toMatch(/^\d+\.\d+\.\d+ \(.+, protocol 1\)$/)
  },
  patience,
)

it.each(acpAgents)(
  '$agent goes on in its session, and replays without being asked',
  async ({ agent }) => {
    const file = join(tempFolder(), 'talk.mjs')
    writeFileSync(file, method)
    const setting = await liveSetting(({ messages }) => {
      const words = messages.map(({ text }) => text).join('\n')
      return { text: words.lastIndexOf('Say two.') > words.lastIndexOf('Say one.') ? 'TWO' : 'ONE' }
    })
    await runLive(setting, liveArgs(setting.folder, agent, 'ferry-morning', file))
    const asks = asksOf(setting.folder)
    expect(asks.map(({ reply, continued }) => [reply, continued])).toEqual([
      ['ONE', undefined],
      // It says that it can load sessions, and mostly does not find them.
      ['TWO', agent.includes('gemini') ? expect.toBeOneOf(['retold', 'resumed']) : 'resumed'],
    ])
    const log = asked(setting.server.log)
    expect(sum(asks)).toEqual(sumOf(log))
    const last = log.findLast(({ body }) => JSON.stringify(body).includes('Say two.'))
    expect(JSON.stringify(last?.body)).toMatch(/Say one\..*ONE.*Say two\./s)
    expect(counted(last as LogEntry)).not.toContain(null)
    const replayed = await bench(argv`replay ${setting.folder}`, { env: setting.env })
    expect(replayed, replayed.stderr).toMatchObject({ code: 0 })
    expect(asked(setting.server.log)).toHaveLength(log.length)
  },
  patience,
)

it.each(acpAgents)(
  '$agent is ended in time and at the limit of its trial',
  async ({ agent, shell }) => {
    const used = { input: 9_900, cached: 0, cacheWrite: 0, cacheWriteHour: 0, output: 100, reasoning: 0 }
    const setting = await liveSetting(() => ({ toolCalls: [shell('echo 1')], usage: used }))
    const args = liveArgs(setting.folder, agent, 'ferry-morning', 'baseline')
    await runLive(setting, [...args, '--retries', '0', '--allow-unpriced', '--limit', 'tokens=50000'])
    expect(recordsOf(setting.folder)).toMatchObject([{ outcome: { status: 'limited' } }])
    const [ask] = asksOf(setting.folder)
    expect(ask).toMatchObject({ error: { reason: 'limit' }, stoppedBy: { scope: 'trial', limit: 'tokens' } })
    expect((ask?.tokens.input ?? 0) + (ask?.tokens.output ?? 0)).toBe(50_000)
  },
  patience,
)
