import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { key } from '../helpers/agents/wire-families.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { asksOf, recordsOf, root, soon, startBench, stepsOf } from '../helpers/runs/cli.ts'
import { programs } from './clients.ts'
import { filesWith, type LiveSetting, liveArgs, liveSetting, patience, runLive } from './live-run.ts'

/** A strategy in a file; `body` is JavaScript that gives its answer. */
function strategyWith(body: string): string {
  const file = join(tempFolder(), 'ask.mjs')
  writeFileSync(
    file,
    `import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({
  name: 'ask', summary: 'Asks.', roles: { solver: 'decide' }, options: z.object({}),
  async run({ ask, now }) {
    const answer = await (async () => { ${body} })()
    return { answer: answer.slice(0, 100), stopReason: 'done' }
  },
})
`,
  )
  return file
}

it.each(programs)(
  '$agent takes a prompt of 200 KB with every kind of text, and a reply of 4 MB',
  async ({ agent }) => {
    const plain = `"double" 'single' \`back\` $(touch /tmp/never) \${HOME} ${'text '.repeat(40_000)}`
    const prompt = `${plain}\n\ttab \0 \ud800 😀 end`
    // Of words that differ: one of the programs takes a text that repeats itself for a model in a loop.
    const reply = `${Array.from({ length: 588_000 }, (_, i) => i).join(' ')} end of the reply`
    const setting = await liveSetting(() => ({ text: reply }))
    const file = strategyWith(`return ask('solver', ${JSON.stringify(prompt)})`)
    await runLive(setting, liveArgs(setting.folder, agent, 'ferry-morning', file))
    const [ask] = stepsOf(setting.folder)
    expect(asksOf(setting.folder)).toHaveLength(1)
    expect(ask?.kind === 'ask' && ask.error).toBeUndefined()
    const sent = JSON.stringify(setting.server.log.find(({ number }) => number === 1)?.body)
    expect(sent).toContain(JSON.stringify(plain).slice(1, -1))
    expect(sent).toContain('tab \u2400 \ufffd 😀 end')
    const blobs = readdirSync(setting.folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.startsWith('blobs/'))
      .map((name) => readFileSync(join(setting.folder, name), 'utf8'))
    expect(reply.length).toBeGreaterThan(4_000_000)
    expect(blobs.some((text) => text.trim() === reply)).toBe(true)
  },
  patience,
)

it.each(programs)(
  '$agent is ended in time, and its call in flight has null counts',
  async ({ agent }) => {
    const setting = await liveSetting(({ messages }) =>
      messages.some(({ text }) => text.includes('Say two.'))
        ? { failure: { kind: 'hang' } }
        : { text: 'ONE' },
    )
    // Enough time to make a request, even on a slow machine.
    const body = `
      const began = now()
      await ask('solver', 'Say one.')
      return ask('solver', 'Say two.', { timeoutMs: 5000 + 3 * (now() - began) })`
    const file = strategyWith(body)
    await runLive(setting, [...liveArgs(setting.folder, agent, 'ferry-morning', file), '--retries', '0'])
    const [first, second] = asksOf(setting.folder)
    expect(first?.error).toBeUndefined()
    expect(second).toMatchObject({
      error: { reason: 'timeout' },
      tokens: { input: null, output: null },
      costUsd: null,
    })
    expect(setting.server.asked()).toBeGreaterThan(1)
  },
  patience,
)

it.each(programs)(
  '$agent stays within one request of the limit of its trial, however often its model calls a tool',
  async ({ agent, shell }) => {
    const used = { input: 9_900, cached: 0, cacheWrite: 0, cacheWriteHour: 0, output: 100, reasoning: 0 }
    let calls = 0
    const setting = await liveSetting(() => ({ toolCalls: [shell(`echo ${++calls}`)], usage: used }))
    const args = liveArgs(setting.folder, agent, 'ferry-morning', 'baseline')
    await runLive(setting, [...args, '--retries', '0', '--allow-unpriced', '--limit', 'tokens=50000'])
    const [record] = recordsOf(setting.folder)
    expect(record).toMatchObject({ outcome: { status: 'limited' }, passed: false })
    const [ask, ...others] = asksOf(setting.folder)
    expect(others).toEqual([])
    expect(ask).toMatchObject({ error: { reason: 'limit' }, stoppedBy: { scope: 'trial', limit: 'tokens' } })
    const tokens = (ask?.tokens.input ?? 0) + (ask?.tokens.output ?? 0)
    expect([ask?.requests, tokens]).toEqual([setting.server.asked(), 10_000 * setting.server.asked()])
    expect(tokens).toBe(50_000)
    expect(ask?.model).toBe(agent.slice(agent.indexOf(':') + 1))
  },
  patience,
)

it.each(programs)(
  '$agent shows the key to no process that it starts, and on no command line',
  async ({ agent }) => {
    const setting = await liveSetting(() => ({ text: '42', failure: { kind: 'slow', ms: 3000 } }))
    const running = startBench(liveArgs(setting.folder, agent, 'ferry-morning', 'baseline'), {
      env: setting.env,
    })
    let looked = 0
    while (!running.isOver()) {
      for (const pid of [running.pid, ...below(running.pid)]) {
        const line = read(`/proc/${pid}/cmdline`)
        expect(line).not.toContain(key)
        // The process itself has the user's environment, and so has a child before it executes its program.
        if (line === '' || line === read(`/proc/${running.pid}/cmdline`)) continue
        looked++
        expect(read(`/proc/${pid}/environ`), line.replaceAll('\0', ' ')).not.toContain(key)
      }
      await soon(100)
    }
    expect(await running.ended).toMatchObject({ code: 0 })
    expect(looked).toBeGreaterThan(5)
    leavesNoKey(setting)
  },
  patience,
)

const leavesNoKey = ({ folder, home }: LiveSetting) => {
  for (const place of [folder, home]) expect(filesWith(place, key)).toEqual([])
}

const read = (path: string) => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Processes that a process has started, and those that they have. */
function below(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
  return children.flatMap((child) => [child, ...below(child)])
}
