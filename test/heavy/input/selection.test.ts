import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk, recordsOf, root } from '../../helpers/runs/cli.ts'

/** Runs with agents that cost no processes, and gives the run folder. */
async function run(...args: string[]): Promise<string> {
  const folder = join(tempFolder(), 'run')
  await benchOk([...args, '--agents', 'oracle', '--out', folder])
  return folder
}
const tasksOf = (folder: string) => [...new Set(recordsOf(folder).map(({ task }) => task))].sort()
const methodsOf = (folder: string) => [...new Set(recordsOf(folder).map(({ method }) => method))].sort()

it('--tasks selects by name, glob, suite, and a seeded number that takes from each suite', async () => {
  const refs = async (selection: string) =>
    (JSON.parse(await benchOk(['tasks', selection, '--json'])) as { ref: string; suite: string }[]).map(
      ({ ref }) => ref,
    )
  const all = await refs('all')
  expect(all.length).toBeGreaterThanOrEqual(16)
  expect(await refs('answers')).toEqual(all.filter((ref) => ref.startsWith('answers/')))
  expect(await refs('money-*,answers/lamp-paths')).toEqual(['code/money-split', 'answers/lamp-paths'])
  const sample = await refs('5')
  expect(sample).toHaveLength(5)
  expect(new Set(sample.map((ref) => ref.split('/')[0])).size).toBeGreaterThanOrEqual(2)
  expect(await refs('5')).toEqual(sample)

  const one = await run('--tasks', '1', '--methods', 'baseline', '--seed', '4')
  expect(recordsOf(one)).toHaveLength(1)
  expect(tasksOf(await run('--tasks', '1', '--methods', 'baseline', '--seed', '4'))).toEqual(tasksOf(one))
})

it('--methods takes labels, options, aliases, and files', async () => {
  const file = join(root, 'fixtures/strategies/my-strategy.ts')
  const methods = `A=baseline,B=baseline,adc-sequential,sequential[maxInner=5],${file}[drafts=1],mine=${file}`
  const folder = await run(
    '--tasks',
    'lamp-paths',
    '--methods',
    methods,
    '--dev',
    '--epochs',
    '2',
    '--baseline',
    'B',
  )
  expect(methodsOf(folder)).toEqual([
    'A',
    'B',
    'draft-and-review[drafts=1]',
    'mine',
    'sequential',
    'sequential[maxInner=5]',
  ])
  expect(recordsOf(folder)).toHaveLength(6 * 2)
  for (const { method, passed } of recordsOf(folder))
    if (method === 'A' || method === 'B') expect(passed).toBe(true)
  const manifest = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as {
    methods: { options: object }[]
    baseline: string
  }
  expect(manifest.methods.map(({ options }) => options)).toContainEqual({ drafts: 1 })
  expect(manifest.methods.map(({ options }) => options)).toContainEqual(
    expect.objectContaining({ maxInner: 5 }),
  )
  expect(manifest.baseline).toBe('B')
  // The run folder is enough to find a strategy file again.
  await benchOk(['replay', folder])
})
