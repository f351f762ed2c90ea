import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { program } from '../../helpers/runs/cli.ts'

/** Returns the files that a command of bench loads. */
async function loadedBy(args: readonly string[]): Promise<string[]> {
  const cwd = tempFolder()
  const [hook, list] = [join(cwd, 'hook.cjs'), join(cwd, 'loaded')]
  writeFileSync(
    hook,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, Object.keys(require.cache).join('\\n')))`,
  )
  const env = { ORCHESTRATION_BENCH_CACHE: inject('cache') }
  await execa(process.execPath, ['--require', hook, program, ...args], { cwd, env, reject: false })
  return readFileSync(list, 'utf8').split('\n')
}

const isOfQueue = (file: string) =>
  /node_modules\/(?:bullmq|pg[^/]*)\//.test(file) ||
  readFileSync(file, 'utf8').includes('create table bench_run')

it('nothing of the queue is loaded without --queue or work, and its packages only once its options are right', async () => {
  for (const args of [
    argv`run --tasks ferry-morning --methods baseline --quiet`,
    argv`run --tasks ferry-morning --methods baseline --quiet --shard 1/2`,
    ['--help'],
    ['runs'],
    ['doctor'],
  ]) {
    const files = await loadedBy(args)
    expect(files.length).toBeGreaterThan(1)
    expect(files.filter(isOfQueue), args.join(' ')).toEqual([])
  }
  const wrong = await loadedBy(argv`work --queue mysql://here --share .`)
  expect(wrong.filter((file) => file.includes('node_modules/bullmq'))).toEqual([])
  expect(wrong.some(isOfQueue)).toBe(true)
})
