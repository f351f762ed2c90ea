import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import sample from '../../../src/commands/judge/sample.ts'
import { printEstimate } from '../../../src/commands/session/dry-run.ts'
import { executeRun } from '../../../src/commands/session/execute.ts'
import { readRecords } from '../../../src/loop/record/records.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const signal = new AbortController().signal
const taskYaml = `id: capital
title: A capital
output: answer
graders:
  - { kind: rubric, name: quality, criteria: [{ name: right, text: It names Paris. }] }
`

/** Writes a suite with one open task. */
function suite(home: string): string {
  const folder = join(home, 'open')
  mkdirSync(join(folder, 'capital/solution'), { recursive: true })
  writeFileSync(join(folder, 'capital/task.yaml'), taskYaml)
  writeFileSync(join(folder, 'capital/instruction.md'), 'What is the capital of France?\n')
  writeFileSync(join(folder, 'capital/solution/answer.txt'), 'It is Paris.\n')
  return `native:${folder}`
}

let run: string
let tasks: string
const home = mkdtempSync(join(tmpdir(), 'judge-sample-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
beforeAll(async () => {
  tasks = suite(home)
  run = join(home, 'run')
  const options = {
    tasks,
    methods: 'baseline,self-consistency',
    epochs: '4',
    sandbox: 'none',
    out: run,
  } as const
  await executeRun(options, { signal, onEvent: () => {} })
})

/** Calls a command; gives what it printed. */
async function printed(call: () => Promise<unknown>): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    await call()
    return write.mock.calls.map(([text]) => String(text)).join('')
  } finally {
    write.mockRestore()
  }
}

const drawn = async (n: string, seed: string) =>
  parse(await printed(() => sample(run, { n, seed })), { columns: true }) as Record<string, string>[]

it('bench judge sample draws trials by seed, in random order, each once and none twice', async () => {
  const trials = [...readRecords(run)].map(({ trial }) => trial)
  expect(trials).toHaveLength(8)
  const idsOf = (rows: Record<string, string>[]) => rows.map(({ trial }) => trial)
  const all = idsOf(await drawn('60', '1'))
  expect([...all].sort()).toEqual([...trials].sort())
  expect(idsOf(await drawn('3', '1'))).toEqual(all.slice(0, 3))
  expect(idsOf(await drawn('60', '2'))).not.toEqual(all)
})

it('bench judge sample shows a person the task and the answer, and neither method, agent nor verdict', async () => {
  const [row] = await drawn('1', '1')
  expect(Object.keys(row ?? {})).toEqual(['trial', 'task', 'instruction', 'answer', 'label'])
  expect(row).toMatchObject({
    task: 'open/capital',
    instruction: 'What is the capital of France?',
    label: '',
  })
  expect(row?.answer).not.toBe('')
})

it('bench judge sample says that fewer answers were judged than it was to draw', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await sample(run, { n: '60', seed: '1', out: join(tempFolder(), 'labels.csv') })
  const text = said.mock.calls.join('')
  said.mockRestore()
  expect(text).toMatch(/8 trials to label in .*\(--n 60, but judges have scored no more answers\)/)
})

it('--dry-run estimates the calls of judges in a row of their own: two verdicts of each judge for each trial', async () => {
  const options = {
    tasks,
    methods: 'baseline',
    epochs: '3',
    sandbox: 'none',
    judges: 'simulated,oracle',
  } as const
  const text = await printed(() => printEstimate({ ...options }, signal))
  expect(text).toMatch(/^ *baseline +3 +3 /m)
  expect(text).toMatch(/^ *\(judges\) +3 +12 /m)
})

it('bench judge sample keeps the labels that its file has, and refuses to lose one', async () => {
  const out = join(home, 'labels.csv')
  const write = (n: string, seed = '1') => printed(() => sample(run, { n, seed, out }))
  await write('2')
  writeFileSync(out, readFileSync(out, 'utf8').replace(/,\n/, ',fail\n'))
  await write('6')
  const rows = parse(readFileSync(out, 'utf8'), { columns: true }) as Record<string, string>[]
  expect(rows.map(({ label }) => label)).toEqual(['fail', '', '', '', '', ''])
  writeFileSync(out, readFileSync(out, 'utf8').replaceAll(/,\n/g, ',pass\n'))
  await expect(write('2')).rejects.toThrow(/4 labels of trials that this draw leaves out/)
})
