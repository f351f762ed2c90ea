import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

it('the hints at the end of a run can be pasted, and bench show prints trials, a trial and two methods as JSON', async () => {
  const cwd = tempFolder()
  const run = await benchOk(
    argv`--tasks ferry-morning,lamp-paths --methods baseline,self-consistency --quiet --out results/one`,
    { cwd },
  )
  const hints = [...run.matchAll(/: (bench (?:report|show|compare) .*?)(?: {3}|$)/gm)].map(
    ([, hint = '']) => hint,
  )
  expect(hints).toHaveLength(3)
  for (const hint of hints) expect((await bench(hint.split(' ').slice(1), { cwd })).code, hint).toBe(0)
  const records = recordsOf(`${cwd}/results/one`)
  const json = async (...args: string[]) =>
    JSON.parse(await benchOk(['show', 'one', ...args, '--json'], { cwd }))
  const all = await json()
  expect(all).toMatchObject({ run: 'results/one', planned: 4, recorded: 4 })
  expect(all.trials.map(({ trial }: { trial: string }) => trial)).toEqual(records.map(({ trial }) => trial))
  const own = await json('--method', 'baseline', '--task', 'lamp-paths')
  expect(own.trials).toMatchObject([{ row: 'baseline', task: 'answers/lamp-paths', epoch: 1 }])
  // What was given by trial, beside what is right.
  expect(Object.keys(own.given)).toEqual([own.trials[0].trial])
  expect(own.given[own.trials[0].trial]).toMatch(/^Answer: \d+$/m)
  expect(own.right).toMatchObject({ changed: false, rule: 'all', graders: [{ kind: 'numeric' }] })
  expect(await json('--task', 'lamp-paths', '--no-answers')).not.toHaveProperty('right')
  const told = await benchOk(['show', 'one', '--task', 'lamp-paths'], { cwd })
  for (const method of ['baseline', 'self-consistency'])
    expect(told).toMatch(
      new RegExp(`^  ${method}, epoch 1: (?:not )?passed; .+(?:\\n {4}\\|.*)*\\n {4}\\| Answer: `, 'm'),
    )
  expect(told.indexOf('Right answer')).toBeLessThan(told.indexOf('\nGiven\n'))
  const hidden = await benchOk(['show', 'one', '--task', 'lamp-paths', '--no-answers'], { cwd })
  expect([hidden.includes('Right answer'), hidden.includes('\nGiven\n')]).toEqual([false, true])
  const { trial = '', passed } = records[0] ?? {}
  const one = await json(trial.slice(0, 8))
  expect(one).toMatchObject({ trial, passed, ended: true, right: { changed: false } })
  expect(one.steps.map(({ kind }: { kind: string }) => kind)).toEqual(
    expect.arrayContaining(['ask', 'grade']),
  )
  expect(await json(trial, '--no-answers')).not.toHaveProperty('right')
  const pair = await json('--task', 'lamp-paths', '--methods', 'baseline,self-consistency')
  expect(pair.epochs).toMatchObject([
    { epoch: 1, baseline: { row: 'baseline' }, 'self-consistency': { row: 'self-consistency' } },
  ])
})
