import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { repairRunFolder } from '../../../src/loop/record/repair.ts'
import { readGraphTraces } from '../../../src/loop/record/workflow-events.ts'
import { asking, graphStrategy } from '../../helpers/graph/graphs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { workOff } from '../../helpers/runs/session.ts'
import { agentOf } from '../../helpers/runs/trial.ts'

const strategy = graphStrategy(
  [asking('a', []), asking('b', ['a']), asking('c', ['a']), asking('d', ['b', 'c'])],
  { concurrency: 2 },
)
const slow = agentOf(() => ({ text: 'done', durationMs: 2000 }))
const quick = agentOf(({ prompt }) => ({ text: 'done', durationMs: prompt.includes('do b') ? 900 : 500 }))
const down = agentOf(({ prompt }) =>
  prompt.includes('do c') ? { error: { reason: 'server', message: 'HTTP 503' } } : 'done',
)

const session = (folder: string, agent: Agent, retryErrors = false) =>
  workOff({ folder, mode: 'dev', agent, strategy, epochs: 1 }, { retryErrors })
const tracesOf = (folder: string) => [...readGraphTraces(folder, () => true)]
const linesOf = (folder: string, file: string) =>
  readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)
const write = (folder: string, file: string, lines: readonly string[]) =>
  writeFileSync(join(folder, file), lines.map((line) => `${line}\n`).join(''))

async function wholeTrace() {
  const folder = tempFolder()
  await session(folder, quick)
  return tracesOf(folder)
}

/** A run whose trial was run again by `--repair`. */
async function repairedRun() {
  const folder = tempFolder()
  await session(folder, slow)
  const lines = linesOf(folder, 'steps.jsonl')
  const place = lines.findIndex((line) => line.includes('"kind":"ask"'))
  write(folder, 'steps.jsonl', lines.toSpliced(place, 0, lines[place] as string))
  expect((await repairRunFolder(folder)).again.size).toBe(1)
  const before = linesOf(folder, 'steps.jsonl').length
  await session(folder, quick)
  return { folder, before }
}

it('a trial that runs again after a repair writes its trace again, and the trace of before counts no more', async () => {
  const { folder } = await repairedRun()
  expect(tracesOf(folder)).toEqual(await wholeTrace())
})

it('so does one that runs again after an error', async () => {
  const folder = tempFolder()
  await session(folder, down)
  await session(folder, quick, true)
  expect(tracesOf(folder)).toEqual(await wholeTrace())
})

it('and so does one that was cut off while it ran again', async () => {
  const whole = await wholeTrace()
  const { folder, before } = await repairedRun()
  const [steps, events] = [linesOf(folder, 'steps.jsonl'), linesOf(folder, 'events.jsonl')]
  const again = events.findIndex((line) => line.includes('"rerun"')) + 1
  expect(again).toBeGreaterThan(1)
  for (let kept = again; kept <= events.length; kept++) {
    const cut = tempFolder()
    write(cut, 'steps.jsonl', steps.slice(0, before + ((kept - again) % (steps.length - before))))
    write(cut, 'events.jsonl', events.slice(0, kept))
    await session(cut, quick)
    expect(tracesOf(cut)).toEqual(whole)
  }
})
