import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { asksOf, bench, recordsOf, root } from '../../helpers/runs/cli.ts'
import { programs } from '../../live/clients.ts'
import { liveArgs, liveSetting, logByTrial, markIn, patience } from '../../live/live-run.ts'
import { markOf } from '../../live/methods-model.ts'
import type { Answer, ModelRequest } from '../../model-server/script.ts'

/** What the server answers from the second ask on, the outcome of the trial, and the attempts of that ask. */
const faults = {
  'an invalid key': {
    answer: { failure: { kind: 'status', status: 401, message: 'Incorrect API key provided' } },
    outcome: 'error',
    attempts: ['key'],
  },
  'an outage': {
    answer: { failure: { kind: 'status', status: 500, message: 'Out of order' } },
    outcome: 'error',
    attempts: ['server', 'server'],
  },
  'an empty reply': { answer: {}, outcome: 'failed', attempts: ['empty'] },
} as const satisfies Record<string, { answer: Answer; outcome: string; attempts: readonly string[] }>
const names = Object.keys(faults) as (keyof typeof faults)[]

// Each program gets time for a request or two, on a slow machine too, and some need an hour to give an outage up.
const methodWith = (graceMs: number) => `
import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({
  name: 'two', summary: 'Asks twice.', roles: { solver: 'produce' }, options: z.object({}),
  async run({ ask, now }) {
    const began = now()
    await ask('solver', 'Say one.')
    const answer = await ask('solver', 'Say two.', { timeoutMs: ${graceMs} + 2 * (now() - began) })
    return { answer, stopReason: 'done' }
  },
})
`

const isSecond = ({ messages }: ModelRequest) => messages.some(({ text }) => text.includes('Say two.'))

it.each(programs)(
  '$agent: an invalid key and an outage end the trial in error, an empty reply is its method’s failure',
  async ({ agent }) => {
    const faultOf = new Map<string, keyof typeof faults>()
    const setting = await liveSetting((request) => {
      const mark = markOf(request)
      const name = faultOf.get(mark) ?? (names[faultOf.size] as keyof typeof faults)
      faultOf.set(mark, name)
      return isSecond(request) ? faults[name].answer : { text: 'ONE' }
    })
    const { folder, env } = setting
    const file = join(tempFolder(), 'two.mjs')
    // qwen asks five times for an empty reply, with waits between.
    writeFileSync(file, methodWith(agent.startsWith('qwen-cli') ? 25_000 : 5_000))
    const args = liveArgs(folder, agent, 'ferry-morning', file)
    const ended = await bench([...args, '--epochs', String(names.length), '--retries', '1'], { env })
    expect(ended.code, ended.stderr).toBe(1)

    const log = logByTrial(setting)
    for (const { trial, outcome } of recordsOf(folder)) {
      const name = faultOf.get(markIn(folder, trial)) as keyof typeof faults
      const [first, ...attempts] = asksOf(folder).filter((ask) => ask.trial === trial)
      const told = `${name}\n${attempts.map(({ error }) => error?.message).join('\n')}`
      expect(first?.error, told).toBeUndefined()
      expect([outcome.status, attempts.map(({ error }) => error?.reason)], told).toEqual([
        faults[name].outcome,
        faults[name].attempts,
      ])
      const own = (log.get(trial) ?? []).slice(1)
      expect(own.length, told).toBeGreaterThan(0)
      for (const { tokens, costUsd, error } of attempts)
        if (name !== 'an empty reply') {
          expect([tokens.input, tokens.output, costUsd], told).toEqual([0, 0, 0])
          expect(error?.message).toContain(faults[name].answer.failure.message)
        }
    }
  },
  patience,
)
