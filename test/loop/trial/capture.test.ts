import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const long = 'a long prompt of one’s own '.repeat(4000)
const strategy = strategyOf(async ({ ask }) => {
  await ask('judge', long, { session: 's', system: 'a system prompt of one’s own' })
  const answer = await ask('judge', 'a second prompt of one’s own', { session: 's' })
  return { answer, stopReason: 'done' }
})
const usage = { theirs: 'a usage object' }

/** Plays it; gives what the agent was told, its steps, and all that stands in the folder. */
async function kept(capture: { prompts?: boolean; usage?: boolean } | undefined, folder?: string) {
  const told: (readonly { prompt: string }[])[] = []
  const agent = agentOf(({ turns = [] }) => {
    told.push(turns)
    return { text: `reply ${told.length}`, usage }
  })
  const played = await playTrial({ agent, strategy, ...(capture && { capture }), ...(folder && { folder }) })
  const files = readdirSync(played.folder, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )
  const text = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n')
  return { ...played, told, asks: played.steps.filter((step): step is AskStep => step.kind === 'ask'), text }
}

it('keeps everything where nothing is said', async () => {
  const { asks, text } = await kept(undefined)
  expect(asks.map(({ prompt, system, usage }) => [prompt, system, usage])).toEqual([
    [long, 'a system prompt of one’s own', usage],
    ['a second prompt of one’s own', undefined, usage],
  ])
  expect(text).toContain('of one’s own')
})

it('keeps no text of prompts, system prompts or long ones in files of their own, but hashes and replies, when told not to', async () => {
  const { asks, text } = await kept({ prompts: false })
  const word = '(not kept: capture.prompts is false)'
  expect(asks.map(({ prompt, system, reply }) => [prompt, system, reply])).toEqual([
    [word, word, 'reply 1'],
    [word, undefined, 'reply 2'],
  ])
  for (const { hash } of asks) expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(text).not.toContain('of one’s own')
  expect(text).toContain('a usage object')
})

it('keeps no usage object of the provider’s when told not to', async () => {
  const { asks, text } = await kept({ usage: false })
  expect(asks[0]?.prompt).toBe(long)
  expect(text).not.toContain('a usage object')
})

it('is replayed and resumed the same without the texts, sessions included', async () => {
  const first = await kept({ prompts: false })
  const again = await kept({ prompts: false }, first.folder)
  expect(first.told.map((turns) => turns.map(({ prompt }) => prompt))).toEqual([[], [long]])
  expect(again.told).toEqual([])
  expect(again.asks).toEqual(first.asks)
  const replayed = await playTrial({
    agent: agentOf(() => 'never'),
    strategy,
    folder: first.folder,
    replay: true,
  })
  expect(replayed.steps).toEqual(first.steps)
})
