import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import {
  bench,
  benchOk,
  recordLines,
  recordsOf,
  refused,
  shareProcess,
  stepsOf,
} from '../helpers/runs/cli.ts'

shareProcess()

const tasks = ['--tasks', 'lamp-paths,recipe-scale', '--epochs', '2']
const methods = 'self-consistency,A=sequential[maxOuter=2],retry[n=2],longer=baseline[match=A:calls]'
const plan = [...tasks, '--methods', methods, '--match-budget', 'A:tokens', '--quiet']

it('a matched control makes as many attempts as the other method’s spend allows, at any parallelism and after a stop', async () => {
  const cwd = tempFolder()
  await benchOk([...plan, '--parallel', '1', '--out', 'one'], { cwd })
  await benchOk([...plan, '--parallel', '6', '--out', 'six'], { cwd })
  const stopped = await bench([...plan, '--parallel', '3', '--out', 'parts', '--max-calls', '40'], { cwd })
  expect(stopped.code).toBe(3)
  await benchOk(['run', '--resume', 'parts', '--max-calls', 'none', '--quiet'], { cwd })
  const [one, six, parts] = ['one', 'six', 'parts'].map((name) => recordLines(join(cwd, name)))
  expect(six).toEqual(one)
  expect(parts).toEqual(one)

  const records = recordsOf(join(cwd, 'one'))
  const spentOn = (task: string, method: string, of: (record: (typeof records)[number]) => number) => {
    const own = records.filter((record) => record.task === task && record.method === method)
    expect(own).toHaveLength(2)
    return own.reduce((sum, record) => sum + of(record), 0) / 2
  }
  const steps = stepsOf(join(cwd, 'one'))
  for (const [method, unit, of] of [
    ['self-consistency=A', 'tokens', ({ spent }) => spent.input + spent.output],
    ['longer', 'calls', ({ spent }) => spent.calls],
  ] as [string, string, (record: (typeof records)[number]) => number][])
    for (const { trial, task, matched, iterations } of records.filter((one) => one.method === method)) {
      const [spent, baseline] = [spentOn(task, 'A', of), spentOn(task, 'baseline', of)]
      const attempts = Math.max(1, Math.round(spent / baseline))
      expect(matched).toEqual({ method: 'A', unit, spent, baseline, attempts })
      expect(iterations).toBe(attempts)
      expect(steps.filter((step) => step.trial === trial && step.kind === 'match')).toHaveLength(1)
    }
  expect(records.filter(({ method }) => method === 'retry[n=2]').every(({ matched }) => !matched)).toBe(true)

  const report = await benchOk(['report', 'one', '--tasks'], { cwd })
  expect(report.replace(/\s+/g, ' ')).toMatch(
    /self-consistency=A: \d\.\d\d times the tokens of A over 2 tasks; (not )?matched/,
  )
  expect(report).toMatch(/×\d\.\d\d in \d/)
  await benchOk(['replay', 'one'], { cwd })
})

it('an impossible match is refused with all its problems', async () => {
  const small = ['--tasks', 'lamp-paths', '--methods']
  await refused([...small, 'self-consistency[match=nobody:tokens]'], ['no method to match "nobody"'])
  await refused([...small, 'sequential,retry[match=sequential:words]'], ['"words" is not a unit of a budget'])
  await refused([...small, 'sequential,best-of[n=2,match=sequential]'], ['sets both match and n'])
  await refused([...small, 'retry[match=B],B=best-of[match=retry]'], [/no method to match "B"/, /"retry"/])
  await refused(argv`${small} sequential,best-of[n=2] --match-budget sequential`, [
    'needs a method that makes several attempts',
  ])
  await refused([...small, 'sequential[match=baseline],baseline'], ['no option "match"'])
})
