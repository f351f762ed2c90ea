import { expect, it } from 'vitest'
import { createRedactor, type Redactor } from '../../../src/text/redact.ts'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const key = 'sk-0123456789abcdef'
const redact = createRedactor([{ name: 'MY_API_KEY', value: key }]) as Redactor

it('the error of a broken adapter reaches the strategy without a key, in its cause and stack as well', async () => {
  for (const virtualTime of [true, undefined]) {
    let seen: Error | undefined
    const { record, steps } = await playTrial({
      redact,
      agent: agentOf(
        () => {
          throw new Error(`401: bad key ${key}`, { cause: new Error(key) })
        },
        virtualTime ? { virtualTime } : {},
      ),
      strategy: strategyOf(async ({ ask }) => {
        await ask('solver', 'go').catch((error: Error) => {
          seen = error
          throw error
        })
        return { stopReason: 'done' }
      }),
    })
    expect(record.outcome).toMatchObject({ status: 'error' })
    expect(record.outcome.reason).toContain('bad key [redacted MY_API_KEY]')
    expect(`${seen?.stack} ${seen?.cause}`).toContain('[redacted MY_API_KEY]')
    expect(JSON.stringify([record, steps, seen?.stack, String(seen?.cause)])).not.toContain(key)
  }
})

it('an ask sends and hashes the redacted prompt, so that a replay without the key sends the same', async () => {
  const prompts: string[] = []
  const agent = agentOf(({ prompt, system }) => {
    prompts.push(prompt, system ?? '')
    return `${key} 42`
  })
  const strategy = (value: string) =>
    strategyOf(async ({ ask }) => {
      const reply = await ask('solver', `Use ${value}.`, { system: value, show: { more: value } })
      return { stopReason: 'done', answer: reply }
    })
  const played = await playTrial({ redact, agent, strategy: strategy(key) })
  expect(prompts.join()).not.toContain(key)
  expect(played.record.answer).toBe('[redacted MY_API_KEY] 42')
  const replayed = await playTrial({
    agent,
    strategy: strategy('[redacted MY_API_KEY]'),
    folder: played.folder,
    replay: true,
  })
  expect(replayed.divergences).toEqual([])
  const bare = await playTrial({ agent, strategy: strategy(key), folder: played.folder, replay: true })
  expect(bare.divergences.join()).toContain('the request differs')
})
