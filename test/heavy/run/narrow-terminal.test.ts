import { expect, it } from 'vitest'
import { displayWidth } from '../../../src/text/display-width.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk } from '../../helpers/runs/cli.ts'

it('run, report and compare keep to the columns of the terminal, and a matched control has its short name everywhere', async () => {
  const cwd = tempFolder()
  const env = { COLUMNS: '60' }
  const methods = 'sequential,self-consistency,baseline'
  const plan = ['--tasks', 'lamp-paths,recipe-scale', '--methods', methods, '--match-budget', 'sequential']
  const run = await bench([...plan, '--out', 'r', '--quiet'], { cwd, env })
  expect(run.stdout).toMatch(/^3 methods on 2 tasks, /)
  expect(run.stdout.split('\n').length).toBeLessThanOrEqual(21)
  const whole = await benchOk(['report', 'r', '--tasks', '--notes'], { cwd, env })
  const pair = await benchOk(['compare', 'r:self-consistency[match=sequential]', 'r:baseline'], { cwd, env })
  const based = await benchOk(['report', 'r', '--baseline', 'self-consistency=sequential'], { cwd, env })
  for (const text of [run.stdout, run.stderr, whole, pair, based])
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(60)
  for (const text of [run.stdout, whole, pair, based]) {
    expect(text).toContain('self-consistency=')
    expect(text).not.toContain('[match=')
  }
})
