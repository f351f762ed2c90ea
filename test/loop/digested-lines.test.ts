import { spawnSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { needs } from '../helpers/needs.ts'
import { tempFolder } from '../helpers/temp.ts'

/** Reads a file of one line that is this long, under a shell's limits; whether a thread read ahead. */
function readUnder(limits: string, bytes: number) {
  const folder = tempFolder()
  const built = pathToFileURL(join(packageRoot(), 'dist/src/loop/digested-lines.js')).href
  writeFileSync(join(folder, 'records.jsonl'), '{}\n')
  truncateSync(join(folder, 'records.jsonl'), bytes)
  writeFileSync(
    join(folder, 'main.mjs'),
    `import { digestedLines } from ${JSON.stringify(built)}
    const { blocks, note } = await digestedLines('.')
    for (const { count } of blocks) {
      console.log(count, note ? 'ahead' : 'alone')
      break
    }`,
  )
  const { stdout, status } = spawnSync('sh', ['-c', `${limits} exec "$0" main.mjs`, process.execPath], {
    ...{ cwd: folder, encoding: 'utf8', timeout: 20_000 },
  })
  return [stdout, status]
}

const large = 128 * 1024 * 1024

it('reads a large file ahead where a second processor is free, and no other', () => {
  const how = availableParallelism() < 2 ? 'alone' : 'ahead'
  expect(readUnder('', large)).toEqual([`1 ${how}\n`, 0])
  expect(readUnder('', large - 1)).toEqual(['1 alone\n', 0])
})

needs('Linux').it(
  'reads a large file alone where a thread would not fit into the memory that the process may address',
  () => {
    expect(readUnder('ulimit -v 1600000;', large)).toEqual(['1 alone\n', 0])
  },
)
