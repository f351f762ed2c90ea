import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { filesTask, write } from '../../helpers/machine/programs.ts'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

it('the kind of work of one ask decides its preamble, its edits, its candidate and its step', async () => {
  const requests: AgentRequest[] = []
  const agent = agentOf((request) => {
    requests.push(request)
    return write(`${request.role} ${requests.length}`)
  })
  const files: (string | undefined)[] = []
  const strategy = strategyOf(async ({ ask, workspace }) => {
    const look = () => files.push(workspace.read('a.txt'))
    await ask('solver', 'Read it.', { work: 'judge' }).then(look)
    await ask('judge', 'Write it.', { work: 'produce' }).then(look)
    await ask('solver', 'Write it.', { work: 'produce' }).then(look)
    await ask('judge', 'Read it.').then(look)
    return { stopReason: 'done' }
  })
  const setting = { agent, strategy, task: filesTask(), gradeCandidates: true } as const
  const { record, steps, folder } = await playTrial(setting)
  expect(files.map((text) => text?.trim())).toEqual(['as it was', 'judge 2', 'solver 3', 'solver 3'])
  expect(requests.map(({ work, prompt }) => [work, prompt.startsWith('# Task')])).toEqual([
    ['judge', false],
    ['produce', true],
    ['produce', true],
    ['judge', false],
  ])
  expect(requests.at(-1)?.history.map(({ role, work }) => [role, work])).toEqual([
    ['solver', 'judge'],
    ['judge', 'produce'],
    ['solver', 'produce'],
  ])
  const asks = steps.filter((step): step is AskStep => step.kind === 'ask')
  expect(asks.map(({ work, changeSet }) => [work, changeSet !== undefined])).toEqual([
    ['judge', false],
    ['produce', true],
    ['produce', true],
    ['judge', false],
  ])
  expect(record.iterations).toBe(2)
  expect(record.candidates?.map(({ key, role }) => [key, role])).toEqual([
    ['#1', 'judge'],
    ['#2', 'solver'],
  ])
  const replayed = await playTrial({ ...setting, folder, replay: true })
  expect(replayed.divergences).toEqual([])
})

it('an agent that works in a folder changes no files with an ask that is no work on the task', async () => {
  const agent = agentOf(async ({ workspace, prompt }) => {
    writeFileSync(`${await workspace.folder()}/a.txt`, prompt.slice(-4))
    return 'done'
  })
  const files: (string | undefined)[] = []
  const strategy = strategyOf(async ({ ask, workspace }) => {
    await ask('solver', 'read', { work: 'judge' })
    files.push(workspace.read('a.txt'))
    await ask('judge', 'make', { work: 'produce' })
    files.push(workspace.read('a.txt'))
    return { stopReason: 'done' }
  })
  await playTrial({ agent, strategy, task: filesTask() })
  expect(files).toEqual(['as it was\n', 'make'])
})
