import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { filesOf } from '../helpers/guides/blocks.ts'
import { commandsIn, fewer, pages, whyNot } from '../helpers/guides/commands.ts'
import { type Installed, installPackage } from '../helpers/guides/installed.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { root } from '../helpers/runs/cli.ts'

let installed: Installed
beforeAll(async () => {
  installed = await installPackage(['@duckdb/node-api'])
}, 120_000)
afterAll(() => installed.remove())

/** A folder with the package, the fixtures of the clone, and the files that the page shows. */
function folderFor(page: string): string {
  const cwd = tempFolder()
  symlinkSync(join(installed.project, 'node_modules'), join(cwd, 'node_modules'))
  for (const part of ['agents', 'profiles', 'tools', 'recorded/excerpt'])
    cpSync(join(root, 'fixtures', part), join(cwd, 'fixtures', part), { recursive: true })
  const files = { 'package.json': '{ "private": true, "type": "module" }', ...filesOf(page) }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  return cwd
}

/** The first trial of a run folder, for commands that want one. */
const trial = `trial() { sed -n '1s/.*"trial":"\\([0-9a-f]*\\)".*/\\1/p' "$1/records.jsonl"; }`

const run = Object.entries(pages).flatMap(([page, how]) => {
  const commands = commandsIn(page).filter((command) => whyNot(how, command) === undefined)
  return commands.length > 0 ? [[page, commands, how] as const] : []
})

it.each(run)('the commands of %s run', { timeout: 1_200_000 }, async (page, commands, how) => {
  const cwd = folderFor(page)
  const { before = ':', words = {}, codes = [0] } = how
  const told = (command: string) =>
    Object.entries({ ...words, ...fewer }).reduce((text, [word, own]) => text.replaceAll(word, own), command)
  const ends = join(cwd, 'ends.txt')
  // A shell for the whole page, as the reader has: a folder that was entered and a variable that was set stay.
  const script = [
    trial,
    `${before}\n[ $? = 0 ] || echo before >> ends.txt`,
    ...commands.map((command, i) => `${told(command)}\necho ${i} $? >> '${ends}'`),
  ].join('\n')
  const { all } = await execa('sh', ['-c', script], {
    cwd,
    env: {
      PATH: `${join(installed.project, 'node_modules/.bin')}:${process.env.PATH}`,
      ORCHESTRATION_BENCH_CACHE: inject('cache'),
    },
    all: true,
    reject: false,
  })
  const lines = existsSync(ends) ? readFileSync(ends, 'utf8').trim().split('\n') : []
  const failed = lines.filter((line) => !codes.includes(Number(line.split(' ')[1])))
  const named = failed.map((line) => `${line.split(' ')[1]}: ${commands[Number(line.split(' ')[0])] ?? line}`)
  expect(named, all).toEqual([])
  expect(lines).toHaveLength(commands.length)
})
