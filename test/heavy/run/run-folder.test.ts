import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runFolderProblems } from '../../../src/loop/record/run-folder.ts'
import { displayWidth } from '../../../src/text/display-width.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk } from '../../helpers/runs/cli.ts'

/** Makes and removes a folder 2,000 times, as a run does that tries whether its folder can be created. */
const neighbour = `
  const { mkdirSync, rmdirSync } = require('node:fs')
  const folder = process.argv[1]
  for (let i = 0; i < 2000; i++) {
    try { mkdirSync(folder) } catch {}
    try { mkdirSync(folder + '/other') } catch {}
    if (i === 0) console.log('begun')
    try { rmdirSync(folder + '/other') } catch {}
    try { rmdirSync(folder) } catch {}
  }`

it('a run finds that its folder can be created, while another run tries the same beside it', async () => {
  const results = join(tempFolder(), 'results')
  const other = spawn(process.execPath, ['-e', neighbour, results], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(other, 'close')
  await once(other.stdout, 'data')
  const found = new Set<string>()
  for (let i = 0; i < 300; i++)
    for (const { what } of runFolderProblems(join(results, 'run', `${i}`))) found.add(what)
  await ended
  expect([...found]).toEqual([])
  expect(readdirSync(join(results, '..')).filter((name) => name !== 'results')).toEqual([])
})

it('run, report and compare keep to the columns of the terminal, and a matched control has its short name everywhere', async () => {
  const cwd = tempFolder()
  const env = { COLUMNS: '60' }
  const methods = 'sequential,self-consistency,baseline'
  const plan = ['--tasks', 'lamp-paths,recipe-scale', '--methods', methods, '--match-budget', 'sequential']
  const run = await bench([...plan, '--out', 'r', '--quiet'], { cwd, env })
  expect(run.stdout).toMatch(/^3 methods on 2 tasks, /)
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
