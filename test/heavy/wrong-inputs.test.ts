import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { checkRemedy, fillFolder, type WrongInput } from '../helpers/guides/wrong-inputs.ts'
import { tableOf } from '../helpers/house/tables.ts'
import { shareProcess } from '../helpers/runs/cli.ts'

shareProcess()

let cwd: string
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'bench-test-'))
  await fillFolder(cwd)
  await makeRepository(join(cwd, 'made'))
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

/** A repository whose last commit mends a function and adds a test; what lies in it beside the commits is of no account. */
async function makeRepository(folder: string): Promise<void> {
  const git = (...args: string[]) =>
    execa('git', ['-c', 'user.name=me', '-c', 'user.email=me@localhost', ...args], { cwd: folder })
  const commit = async (message: string, files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
    await git('add', '.')
    await git('commit', '--quiet', '-m', message)
  }
  mkdirSync(join(folder, 'test'), { recursive: true })
  await execa('git', ['init', '--quiet'], { cwd: folder })
  const test = (name: string, body: string) =>
    `import assert from 'node:assert/strict'\nimport { test } from 'node:test'\nimport { add } from '../add.js'\ntest('${name}', () => ${body})\n`
  await commit('Add', {
    'package.json': '{ "type": "module" }\n',
    'add.js': 'export const add = (a, b) => a - -b\n',
    'test/add.test.js': test('adds', 'assert.equal(add(1, 2), 3)'),
  })
  await commit('Say what it is', { 'README.md': 'It adds.\n' })
  await commit('Add many', {
    'add.js': 'export const add = (...all) => all.reduce((sum, one) => sum + one, 0)\n',
    'test/many.test.js': test('adds many', 'assert.equal(add(1, 2, 3), 6)'),
  })
  appendFileSync(join(folder, 'add.js'), 'not committed\n')
}

describe.each(['repository', 'graders', 'strategies'])(
  'a mistake with a %s is told, and its remedy works',
  (road) => {
    it.each(tableOf<WrongInput[]>(import.meta.url, road))('%s', (...row) => checkRemedy(cwd, row))
  },
)
