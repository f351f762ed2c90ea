import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openBlobs } from '../../../src/loop/journal/blobs.ts'
import { stepsOf } from '../../../src/loop/journal/ledger-index.ts'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const strategy = strategyOf(async ({ ask }) => {
  await ask('solver', 'x')
  return { answer: '42', stopReason: 'done' }
})

it.each([
  ['"input":100', 'tokens.input'],
  ['"output":10', 'tokens.output'],
  ['"costUsd":0.01', 'costUsd'],
  ['"durationMs":1000', 'durationMs'],
])('a step whose %s is negative is refused', async (part, field) => {
  const { folder, record } = await playTrial({ agent: agentOf(() => 'x'), strategy })
  const file = join(folder, 'steps.jsonl')
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(part)
  writeFileSync(file, text.replace(part, part.replace(':', ':-')))
  const read = () => [...stepsOf(folder, record.trial, openBlobs(join(folder, 'blobs')))]
  expect(read).toThrow(new RegExp(`steps\\.jsonl:1\\] ${field}`))
})
