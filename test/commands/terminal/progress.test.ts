import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createProgress } from '../../../src/commands/terminal/progress.ts'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

function watched(columns?: number, simulation?: string) {
  const output = new PassThrough() as PassThrough & { isTTY?: boolean; columns?: number }
  if (columns !== undefined) Object.assign(output, { isTTY: true, columns })
  const written: string[] = []
  output.on('data', (data: Buffer) => written.push(String(data)))
  vi.stubEnv('CI', '')
  vi.stubEnv('TERM', 'xterm')
  const progress = createProgress(output as never, false, simulation)
  vi.unstubAllEnvs()
  return { progress, text: () => written.join('') }
}

const start = { type: 'start', folder: 'results/x', trials: 6, done: 0, parallel: 2 } as const
const preparing = { type: 'prepare', task: 'code/fold', number: 3, tasks: 4, tries: true } as const

it('a run says what it is doing while a task is prepared, with and without a terminal', () => {
  const [log, terminal] = [watched(), watched(60)]
  for (const { progress } of [log, terminal]) {
    progress.onEvent(start)
    vi.advanceTimersByTime(1500)
    progress.onEvent({ ...preparing, state: 'begin' })
    vi.advanceTimersByTime(30_000)
    progress.end()
  }
  expect(log.text().split('\n').slice(1, -1)).toEqual([
    expect.stringMatching(/^0\/6 {2}2 s {2}preparing task 3 of 4/),
    expect.stringMatching(/^0\/6 {2}\d+ s {2}preparing task 3 of 4/),
    expect.stringMatching(/^0\/6 {2}\d+ s {2}preparing task 3 of 4/),
  ])
  expect(terminal.text().match(/preparing task 3 of 4/g)?.length).toBeGreaterThan(20)
})

it('nothing is printed after the end', () => {
  const { progress, text } = watched(80)
  progress.onEvent(start)
  progress.end()
  const before = text()
  vi.advanceTimersByTime(60_000)
  expect(text()).toBe(before)
})

it('a simulation says what it is for, and names no folder', () => {
  const { progress, text } = watched(undefined, 'to plan with')
  progress.onEvent(start)
  expect(text()).toBe('simulating 6 trials to plan with, 2 in parallel\n')
})

it('dollars of a simulation are marked where a limit is shown, and others are not', () => {
  const alert = { type: 'alert', scope: 'run', limit: 'costUsd', of: 5, used: 4, percent: 80 } as const
  const shown = (more: object) => {
    const { progress, text } = watched()
    progress.onEvent({ ...start, costUsd: { of: 5, used: 1 }, ...more })
    vi.advanceTimersByTime(12_000)
    progress.onEvent(alert)
    progress.end()
    return text().match(/of \$5\.00.*$/gm)
  }
  expect(shown({ simulatedUsd: true })).toEqual(['of $5.00 (simulated)', 'of $5.00 (simulated)'])
  expect(shown({})).toEqual(['of $5.00', 'of $5.00'])
})

it('wrong solutions are spoken of only where they are tried', () => {
  const said = (tries: boolean) => {
    const { progress, text } = watched(160)
    progress.onEvent(start)
    vi.advanceTimersByTime(1500)
    progress.onEvent({ ...preparing, tries, state: 'begin' })
    vi.advanceTimersByTime(1500)
    progress.end()
    return text()
  }
  expect(said(true)).toContain('trying out wrong solutions')
  expect(said(false)).toContain('preparing task 3 of 4 (code/fold)')
  expect(said(false)).not.toContain('wrong')
})
