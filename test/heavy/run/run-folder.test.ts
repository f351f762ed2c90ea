import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runFolderProblems } from '../../../src/loop/record/run-folder.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

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
