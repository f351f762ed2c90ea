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

/** Plays the trial; returns the agent's prompts, the steps, and all text in the folder. */
async function kept(capture: { prompts?: boolean; usage?: boolean } | undefined, folder?: string) {
  const turnsByCall: (readonly { prompt: string }[])[] = []
  const agent = agentOf(({ turns = [] }) => {
    turnsByCall.push(turns)
    return { text: `reply ${turnsByCall.length}`, usage }
  })
  const played = await playTrial({ agent, strategy, ...(capture && { capture }), ...(folder && { folder }) })
  const files = readdirSync(played.folder, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  )
  const text = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n')
  return {
    ...played,
    turnsByCall,
    asks: played.steps.filter((step): step is AskStep => step.kind === 'ask'),
    text,
  }
}

it('a run keeps all parts of an ask by default', async () => {
  const { asks, text } = await kept(undefined)
  expect(asks.map(({ prompt, system, usage }) => [prompt, system, usage])).toEqual([
    [long, 'a system prompt of one’s own', usage],
    ['a second prompt of one’s own', undefined, usage],
  ])
  expect(text).toContain('of one’s own')
})

it('`prompts: false` keeps hashes and replies but no prompt, system prompt or blob of one', async () => {
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

it('`usage: false` keeps no usage object of the provider', async () => {
  const { asks, text } = await kept({ usage: false })
  expect(asks[0]?.prompt).toBe(long)
  expect(text).not.toContain('a usage object')
})

it('a run without prompts replays and resumes the same, conversations included', async () => {
  const first = await kept({ prompts: false })
  const again = await kept({ prompts: false }, first.folder)
  expect(first.turnsByCall.map((turns) => turns.map(({ prompt }) => prompt))).toEqual([[], [long]])
  expect(again.turnsByCall).toEqual([])
  expect(again.asks).toEqual(first.asks)
  const replayed = await playTrial({
    agent: agentOf(() => 'never'),
    strategy,
    folder: first.folder,
    replay: true,
  })
  expect(replayed.steps).toEqual(first.steps)
})
