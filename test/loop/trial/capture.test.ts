import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import type { Capture } from '../../../src/schema/run/run.ts'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const long = 'a long prompt of one’s own '.repeat(4000)
const usage = { theirs: 'a usage object' }
const strategy = strategyOf(async ({ ask }) => {
  await ask('judge', long, { session: 's', system: 'a system prompt of one’s own' })
  const answer = await ask('judge', 'a second prompt of one’s own', { session: 's' })
  return { answer, stopReason: 'done' }
})

const played = (capture: Capture | undefined) =>
  playTrial({
    agent: agentOf(() => ({ text: 'a reply', usage })),
    strategy,
    ...(capture && { capture }),
  })

const none: Capture = { prompts: false, usage: false, outputs: false, summaries: false, previews: false }

it('the ledger keeps every part of an ask, whatever `capture` says', async () => {
  const { steps } = await played(none)
  const asks = steps.filter((step): step is AskStep => step.kind === 'ask')
  expect(asks.map(({ prompt, system, usage }) => [prompt, system, usage])).toEqual([
    [long, 'a system prompt of one’s own', usage],
    ['a second prompt of one’s own', undefined, usage],
  ])
})

it('the ledgers of a run with all of `capture` and of a run with nothing of it are equal bytes', async () => {
  const [all, nothing] = await Promise.all([played(undefined), played(none)])
  const ledger = ({ folder }: { folder: string }) => readFileSync(join(folder, 'steps.jsonl'))
  expect(ledger(nothing)).toEqual(ledger(all))
})

it('a ledger that an older bench wrote without prompts still replays', async () => {
  const first = await played(undefined)
  const path = join(first.folder, 'steps.jsonl')
  const word = '(not kept: capture.prompts is false)'
  const lines = readFileSync(path, 'utf8').replace(/"prompt":"(?:[^"\\]|\\.)*"/g, `"prompt":"${word}"`)
  writeFileSync(path, lines)
  const replayed = await playTrial({
    agent: agentOf(() => 'never'),
    strategy,
    folder: first.folder,
    replay: true,
  })
  expect(replayed.steps.filter((step) => step.kind === 'ask').map(({ prompt }) => prompt)).toEqual([
    word,
    word,
  ])
  expect(replayed.record.outcome.status).toBe('completed')
})
