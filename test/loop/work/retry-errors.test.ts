import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { readRecords } from '../../../src/loop/record/records.ts'
import { sumRunBill } from '../../../src/loop/record/run-bill.ts'
import { retryErrors } from '../../../src/loop/work/resume.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { workOff } from '../../helpers/runs/session.ts'
import { agentOf, strategyOf } from '../../helpers/runs/trial.ts'

const twoAsks = strategyOf(async ({ ask }) => {
  await ask('solver', 'one')
  await ask('judge', 'two')
  return { stopReason: 'done' }
})

/** Runs or resumes six trials. */
const session = (folder: string, agent: Agent, retryErrors = false) =>
  workOff({ folder, mode: 'live', agent, strategy: twoAsks, epochs: 6 }, { retryErrors })

/** The provider is down for the judges of these epochs. */
const downFor = (...epochs: number[]) =>
  agentOf(({ role, trial }) =>
    role === 'judge' && epochs.includes(trial.epoch)
      ? { error: { reason: 'server', message: 'HTTP 503' } }
      : 'Answer: 42',
  )

const statuses = (folder: string) =>
  [...readRecords(folder)].map(({ epoch, outcome }) => [epoch, outcome.status])
const sumOfRecords = (folder: string) =>
  [...readRecords(folder)].reduce((sum, { spent }) => sum + spent.input + spent.output, 0)
const all = (status: string) => [1, 2, 3, 4, 5, 6].map((epoch) => [epoch, status])

it('--retry-errors runs trials that ended in error again, replaces their records, and keeps the old cost as void', async () => {
  const folder = tempFolder()
  await session(folder, downFor(2, 5))
  const before = readFileSync(join(folder, 'records.jsonl'), 'utf8').split('\n')
  expect(statuses(folder).filter(([, status]) => status === 'error')).toHaveLength(2)

  const { end, notes } = await session(folder, downFor(), true)
  expect(end).toMatchObject({ done: 6, interrupted: false, divergences: 0 })
  expect(notes).toEqual([expect.stringMatching(/^2 trial\(s\) ended in error and are run again/)])
  expect(statuses(folder)).toEqual(all('completed'))
  const after = readFileSync(join(folder, 'records.jsonl'), 'utf8').split('\n')
  for (const line of before) if (!line.includes('"error"')) expect(after).toContain(line)

  const bill = sumRunBill(folder)
  expect(bill.method).toMatchObject({ calls: 12, input: 1200, output: 120 })
  expect(bill.void).toMatchObject({ calls: 4, input: 400, output: 40 })
  expect(sumOfRecords(folder)).toBe(bill.method.input + bill.method.output)
})

it('--retry-errors leaves a trial in error that fails again, and reports when nothing is to be run again', async () => {
  const folder = tempFolder()
  await session(folder, downFor(3))
  await session(folder, downFor(3), true)
  expect(statuses(folder).filter(([, status]) => status === 'error')).toEqual([[3, 'error']])
  expect(sumRunBill(folder).void.calls).toBe(2)
  await session(folder, downFor(), true)
  expect(statuses(folder)).toEqual(all('completed'))
  expect(sumRunBill(folder)).toMatchObject({ method: { calls: 12 }, void: { calls: 4 } })

  const { notes } = await session(folder, downFor(1, 2, 3, 4, 5, 6), true)
  expect(notes).toEqual([expect.stringMatching(/nothing to run again/)])
  expect(statuses(folder)).toEqual(all('completed'))
})

it('a resumed run keeps its errors without --retry-errors', async () => {
  const folder = tempFolder()
  await session(folder, downFor(4))
  const before = readFileSync(join(folder, 'records.jsonl'), 'utf8')
  await session(folder, downFor())
  expect(readFileSync(join(folder, 'records.jsonl'), 'utf8')).toBe(before)
})

it('--retry-errors survives a crash between the voids, the dropped records and the new trials', async () => {
  const whole = tempFolder()
  await session(whole, downFor(2, 5))
  const copy = () => {
    const folder = tempFolder()
    for (const file of ['steps.jsonl', 'records.jsonl', 'events.jsonl'])
      writeFileSync(join(folder, file), readFileSync(join(whole, file)))
    return folder
  }
  const taken = copy()
  expect(await retryErrors(taken)).toMatchObject({ broken: 0, trials: { size: 2 } })
  expect(statuses(taken)).toHaveLength(4)

  // The crash came before the records were dropped: the voids are written, or half a line of one.
  const voids = readFileSync(join(taken, 'steps.jsonl'), 'utf8').slice(
    readFileSync(join(whole, 'steps.jsonl'), 'utf8').length,
  )
  for (const written of [0, 20, voids.indexOf('\n') + 1, voids.indexOf('\n') + 20, voids.length]) {
    const folder = copy()
    appendFileSync(join(folder, 'steps.jsonl'), voids.slice(0, written))
    writeFileSync(join(folder, 'records.jsonl.draft'), 'half a fi')
    await session(folder, downFor(), true)
    expect(statuses(folder)).toEqual(all('completed'))
    expect(sumRunBill(folder)).toMatchObject({ method: { calls: 12 }, void: { calls: 4 } })
  }
  // The crash came after that.
  await session(taken, downFor())
  expect(statuses(taken)).toEqual(all('completed'))
  expect(sumRunBill(taken)).toMatchObject({ method: { calls: 12 }, void: { calls: 4 } })
})

it('--retry-errors tells the numbers of records before it voids a trial, and nothing if none is run again', async () => {
  const folder = tempFolder()
  await session(folder, downFor(2, 5))
  const seen: object[] = []
  await retryErrors(folder, (retry) => seen.push({ ...retry, records: statuses(folder).length }))
  expect(seen).toEqual([{ before: 6, kept: 4, records: 6 }])
  await retryErrors(folder, (retry) => seen.push(retry))
  expect(seen).toHaveLength(1)
})
