import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import compare from '../../../src/commands/compare.ts'
import power from '../../../src/commands/power.ts'
import replay from '../../../src/commands/replay.ts'
import { writeJUnit } from '../../../src/commands/report/report-files.ts'
import show from '../../../src/commands/show.ts'
import { readRecords } from '../../../src/loop/record/records.ts'
import { sumRunBill } from '../../../src/loop/record/run-bill.ts'
import { readManifest } from '../../../src/loop/record/run-folder.ts'
import { renderStepSummary } from '../../../src/reports/formats/markdown.ts'
import { formats } from '../../../src/reports/registry.ts'
import type { Amendment } from '../../../src/schema/run/amendment.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { changingRun, linesOf, writeNumberTask } from '../../helpers/scenarios/changing-run.ts'

beforeEach(() => {
  const restore = keepEnvironment()
  process.env.ORCHESTRATION_BENCH_CACHE = tempFolder()
  const silent = [process.stdout, process.stderr].map((out) => vi.spyOn(out, 'write').mockReturnValue(true))
  return () => {
    for (const one of silent) one.mockRestore()
    restore()
  }
})

const version = /^count\/\w@[0-9a-f]{8}$/

it('a run whose tasks have changed is not resumed, and the error names each of them and the remedy', async () => {
  const { suite, run, begin, resume } = changingRun()
  await begin()
  const before = readFileSync(join(run, 'records.jsonl'), 'utf8')
  writeNumberTask(suite, 'a', 8)
  writeNumberTask(suite, 'b', 8)
  writeNumberTask(suite, 'new', 7)
  rmSync(join(suite, 'c'), { recursive: true })
  const error = await resume().catch((thrown: Error) => thrown.message)
  expect(error).toMatch(/task count\/a has changed since this run started: its text, files, checks or answer/)
  expect(error).toMatch(/task count\/b has changed/)
  expect(error).toMatch(/task count\/c no longer exists/)
  expect(error).toMatch(/task count\/new was added since this run started/)
  expect(String(error).match(/--accept-changes/g)).toHaveLength(1)
  expect(readFileSync(join(run, 'records.jsonl'), 'utf8')).toBe(before)
  expect(existsSync(join(run, 'amendments.jsonl'))).toBe(false)
})

it('a run is not resumed with another module of its scripted agent, also if only a file that it imports has changed', async () => {
  const { agent, begin, resume } = changingRun()
  const text = readFileSync(agent, 'utf8')
  const part = join(agent, '..', 'part.mjs')
  writeFileSync(part, 'export const unused = 1\n')
  writeFileSync(agent, `import { unused } from './part.mjs'\n${text}export const other = unused\n`)
  await begin()
  writeFileSync(part, 'export const unused = 2\n')
  await expect(resume()).rejects.toThrow(
    /the module of agent scripted:.*: agent\.mjs or a file that it imports has changed since this run started/,
  )
  writeFileSync(part, 'export const unused = 1\n')
  expect((await resume()).end).toMatchObject({ done: 6, interrupted: false })
})

it('--accept-changes goes on: records stay, the other trials have the new version of the task, and nothing mixed is paired', async () => {
  const { suite, run, begin, resume, notes } = changingRun()
  await begin()
  const early = [...readRecords(run)]
  for (const id of ['a', 'b', 'c']) writeNumberTask(suite, id, 8)
  const { end, report, manifest } = await resume({ acceptChanges: true })
  expect(end).toMatchObject({ done: 6, trials: 6, interrupted: false })
  const records = [...readRecords(run)]
  expect(records).toHaveLength(6)
  const late = records.filter(({ task }) => version.test(task))
  expect(
    records
      .filter(({ task }) => !version.test(task))
      .map(({ trial }) => trial)
      .sort(),
  ).toEqual(early.map(({ trial }) => trial).sort())
  expect(early.every(({ passed }) => passed)).toBe(true)
  expect(late.map(({ passed }) => passed)).toEqual([false, false, false])
  expect(late.every(({ suite: name }) => name === 'count')).toBe(true)
  const names = new Map(manifest.tasks.map(({ ref, digest }) => [ref, digest]))
  for (const { task } of late) expect(names.get(task)?.slice(0, 8)).toBe(task.slice(-8))
  // One task was finished before, one after, and one is mixed: it is in no pair.
  const [pair] = report.comparison?.comparison.pairs ?? []
  expect(pair?.outcome).toMatchObject({ nTasks: 2, estimate: 0 })
  expect(notes.join('\n')).toMatch(/accepted: 3 tasks \(count\/a, count\/b, count\/c\) changed/)
  const [amendment] = linesOf<Amendment & { sum: string }>(run, 'amendments.jsonl')
  expect(amendment).toMatchObject({ records: 3, planned: { before: 6, after: 6 }, sum: expect.any(String) })
  expect(linesOf(run, 'looks.jsonl')).toMatchObject([
    { records: 3, command: 'bench run --resume --accept-changes' },
  ])
})

it('every report says that tasks changed during the run', async () => {
  const { suite, run, begin, resume } = changingRun()
  await begin()
  writeNumberTask(suite, 'a', 8)
  const { report } = await resume({ acceptChanges: true })
  const words = /1 task \(count\/a\) changed during the run, after 3 of 6 trials/
  const plain = (text: string) =>
    text.replaceAll('\\allowbreak{}', '').replaceAll('{,}', ',').replaceAll(/\s+/g, ' ')
  for (const format of ['text', 'markdown', 'latex', 'csv', 'json'] as const) {
    expect(plain(formats[format].render(report, {})), format).toMatch(words)
    expect(plain(formats[format].render(report, { part: 'comparison' })), format).toMatch(words)
  }
  const printed = vi.spyOn(process.stdout, 'write')
  const linesOfCommand = async (command: () => Promise<number>) => {
    printed.mockClear()
    await command()
    return plain(printed.mock.calls.map(([text]) => String(text)).join(''))
  }
  expect(await linesOfCommand(() => show(run, undefined, {}))).toMatch(words)
  expect(await linesOfCommand(() => power(run, { difference: '10', power: '80' }))).toMatch(words)
  expect(await linesOfCommand(() => compare(`${run}:A`, `${run}:B`, { format: 'text' }))).toMatch(words)
  const junit = join(suite, '..', 'junit.xml')
  writeJUnit(junit, run, readManifest(run), report.summary)
  expect(readFileSync(junit, 'utf8')).toMatch(words)
  expect(plain(renderStepSummary(report, [], 100_000)).replaceAll('\\', '')).toMatch(words)
})

it('a run without changes gets a note with --accept-changes, and no amendment', async () => {
  const { run, begin, resume, notes } = changingRun()
  await begin()
  await resume({ acceptChanges: true })
  expect(notes).toContain('--accept-changes: nothing has changed since this run started')
  expect(existsSync(join(run, 'amendments.jsonl'))).toBe(false)
})

it('a run whose change was accepted goes on without the flag, and a second change is another amendment', async () => {
  const { suite, run, begin, resume, notes } = changingRun()
  await begin({ maxCalls: '1' })
  writeNumberTask(suite, 'a', 8)
  await resume({ acceptChanges: true, maxCalls: '2' })
  expect((await resume({ maxCalls: '3' })).end.done).toBe(3)
  writeNumberTask(suite, 'a', 9)
  await expect(resume()).rejects.toThrow(/has changed since changes of this run were last accepted/)
  expect((await resume({ acceptChanges: true })).end).toMatchObject({ done: 6, interrupted: false })
  await resume({ acceptChanges: true })
  expect(notes).toContain(
    '--accept-changes: nothing has changed since changes of this run were last accepted',
  )
  expect(linesOf(run, 'amendments.jsonl')).toHaveLength(2)
  expect(readManifest(run).trials).toBe(6)
})

it('a task that was restored is the first version again', async () => {
  const { suite, run, begin, resume } = changingRun()
  await begin({ maxCalls: '1' })
  writeNumberTask(suite, 'a', 8)
  await resume({ acceptChanges: true, maxCalls: '2' })
  writeNumberTask(suite, 'a', 7)
  expect((await resume({ acceptChanges: true })).end).toMatchObject({ done: 6, interrupted: false })
  expect(readManifest(run).tasks.map(({ ref }) => ref)).toEqual(['count/a', 'count/b', 'count/c'])
})

it('tasks that were added run, and those that are gone keep their records only', async () => {
  const { suite, run, begin, resume } = changingRun()
  await begin({ maxCalls: '1' })
  const [{ task } = { task: '' }] = readRecords(run)
  rmSync(join(suite, task.slice(-1)), { recursive: true })
  writeNumberTask(suite, 'new', 7)
  const { end, report } = await resume({ acceptChanges: true })
  expect(end).toMatchObject({ trials: 7, done: 7, interrupted: false })
  expect(readManifest(run).trials).toBe(7)
  expect(report.summary.methods.reduce((sum, { trials }) => sum + trials.run, 0)).toBe(7)
  expect((await resume()).end).toMatchObject({ trials: 7, done: 7 })
})

it('--retry-errors runs a trial of an earlier version again with the present one', async () => {
  const { suite, run, agent, begin, resume } = changingRun()
  writeFileSync(agent, "export default () => ({ error: { reason: 'key', message: 'no' } })\n")
  await begin({ maxCalls: '2' })
  expect([...readRecords(run)].every(({ outcome }) => outcome.status === 'error')).toBe(true)
  for (const id of ['a', 'b', 'c']) writeNumberTask(suite, id, 8)
  const { end } = await resume({ acceptChanges: true, retryErrors: true })
  expect(end).toMatchObject({ done: 6, trials: 6 })
  expect([...readRecords(run)].every(({ task }) => version.test(task))).toBe(true)
})

it('a replay lists the trials whose task has changed since, and replays the others', async () => {
  const { suite, run, begin, resume } = changingRun()
  await begin()
  writeNumberTask(suite, 'a', 8)
  await resume({ acceptChanges: true })
  const out = vi.spyOn(process.stdout, 'write')
  out.mockClear()
  expect(await replay(run, undefined, { times: '1', json: true })).toBe(0)
  const result = JSON.parse(String(out.mock.calls[0]?.[0]))
  const old = [...readRecords(run)].filter(({ task }) => task === 'count/a')
  expect(result).toMatchObject({ trials: 6 - old.length, divergences: [] })
  expect(result.changed ?? []).toHaveLength(old.length)
  for (const { trial } of old)
    await expect(replay(run, trial, { times: '1' })).rejects.toThrow(/cannot be replayed/)
})

it('trials before and after the change of an agent are two versions of each task, and all of them can be replayed', async () => {
  const { run, agent, begin, resume } = changingRun()
  await begin()
  writeFileSync(agent, `${readFileSync(agent, 'utf8')}// Another version.\n`)
  const { report, end } = await resume({ acceptChanges: true })
  expect(end).toMatchObject({ done: 6, trials: 6 })
  expect([...readRecords(run)].filter(({ task }) => version.test(task))).toHaveLength(3)
  expect(report.comparison?.comparison.pairs[0]?.outcome.nTasks).toBe(2)
  expect(formats.text.render(report, {})).toMatch(/1 agent \(scripted:\S+\)\s+changed/)
  expect(await replay(run, undefined, { times: '1' })).toBe(0)
})

it.each([
  ['a stop rule', { stopWhen: 'settled', calibration: true }, /conflicts with the stop rule/],
  [
    'a matched budget',
    { methods: 'A=baseline,B=best-of', matchBudget: 'A' },
    /conflicts with the matched budget/,
  ],
])('changes of a run with %s cannot be accepted', async (_, more, words) => {
  const { suite, begin, resume } = changingRun()
  await begin(more as Record<string, string>)
  writeNumberTask(suite, 'a', 8)
  await expect(resume({ acceptChanges: true })).rejects.toThrow(words)
})

it('steps of a trial that had begun are void and stay in the bill, and the run is repaired and replayed like any other', async () => {
  const { suite, run, begin, resume } = changingRun()
  await begin({ methods: 'A=self-consistency,B=self-consistency', maxCalls: '7' })
  const done = [...readRecords(run)].length
  for (const id of ['a', 'b', 'c']) writeNumberTask(suite, id, 8)
  // No call is left, so the session ends before its first trial, as after a crash.
  await resume({ acceptChanges: true, maxCalls: '7' })
  expect([...readRecords(run)]).toHaveLength(done)
  const spent = sumRunBill(run)
  expect(spent.void.calls).toBeGreaterThan(0)
  expect(spent.void.calls + spent.method.calls).toBe(7)
  expect((await resume({ repair: true })).end).toMatchObject({ trials: 6, done: 6, interrupted: false })
  expect(sumRunBill(run).void).toEqual(spent.void)
  expect(await replay(run, undefined, { times: '1' })).toBe(0)
  expect(await show(run, undefined, {})).toBe(0)
})

it('the trials of a changed strategy file are another version, and those of before cannot be replayed', async () => {
  const { suite, run, begin, resume } = changingRun()
  const strategy = join(suite, '..', 'own.mjs')
  const text = `import { defineStrategy, endWith, solve, z } from 'orchestration-bench'
export default defineStrategy({ name: 'own', summary: 's', options: z.object({}), roles: { solver: 'produce' },
  run: async (context) => endWith(context, { answer: await solve(context, 'solver'), stopReason: 'done' }) })
`
  writeFileSync(strategy, text)
  await begin({ methods: `A=${strategy},B=baseline` })
  writeFileSync(strategy, `${text}// Another version.\n`)
  await expect(resume()).rejects.toThrow(/the source of method A has changed since this run started/)
  const { end } = await resume({ acceptChanges: true })
  expect(end).toMatchObject({ trials: 6, done: 6, interrupted: false })
  const records = [...readRecords(run)]
  expect(records.filter(({ task }) => version.test(task))).toHaveLength(3)
  const out = vi.spyOn(process.stdout, 'write')
  out.mockClear()
  expect(await replay(run, undefined, { times: '1', json: true })).toBe(0)
  const old = records.filter(({ task, method }) => !version.test(task) && method === 'A')
  expect(JSON.parse(String(out.mock.calls[0]?.[0])).changed ?? []).toHaveLength(old.length)
})

it('a damaged or missing amendments.jsonl is refused with its place', async () => {
  const { suite, run, begin, resume } = changingRun()
  await begin()
  for (const id of ['a', 'b', 'c']) writeNumberTask(suite, id, 8)
  await resume({ acceptChanges: true, maxCalls: '4' })
  const path = join(run, 'amendments.jsonl')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"records":3', '"records":4'))
  expect(() => readManifest(run)).toThrow(/amendments\.jsonl:1.*checksum is wrong/s)
  rmSync(path)
  expect(() => [...readRecords(run)]).toThrow(
    /names a version of a task, count\/\w@.*amendments\.jsonl is missing/,
  )
})
