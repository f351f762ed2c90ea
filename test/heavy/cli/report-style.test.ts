import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { inTerminal } from '../../helpers/machine/terminal.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, refused, shareProcess, startBench } from '../../helpers/runs/cli.ts'

shareProcess()

const run = argv`--tasks answers --methods baseline,self-consistency --epochs 2 --quiet --out results/one`
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const bold = /\u001b\[1m/

needs('script').it('the winner stands out at a terminal that wants it, and nowhere else', async () => {
  const cwd = tempFolder()
  await benchOk(run, { cwd })
  const shown = async (env: Record<string, string | undefined>) =>
    (await inTerminal(['report', 'one'], [], { cwd, env: { TERM: 'xterm-256color', ...env } })).shown
  const styled = await shown({})
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
  expect(styled).toMatch(/\u001b\[1m(?:baseline|self-consistency) +\d.*\u001b\[22m\r?\n/)
  expect(styled).toMatch(bold)
  expect(styled).not.toContain('\\x1b')
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) expect(await shown(env)).not.toMatch(bold)
})

it('a pipe and a file get no style, unless FORCE_COLOR asks for it', async () => {
  const cwd = tempFolder()
  await benchOk(run, { cwd })
  expect(await benchOk(['report', 'one'], { cwd })).not.toMatch(bold)
  const forced = await startBench(['report', 'one'], { cwd, env: { FORCE_COLOR: '1' } }).ended
  expect(forced.stdout).toMatch(bold)
  expect(stripVTControlCharacters(forced.stdout)).toBe(await benchOk(['report', 'one'], { cwd }))
})

it('the tables of a paper go to one file, the others beside it, and other formats refuse the choice', async () => {
  const cwd = tempFolder()
  await benchOk(run, { cwd })
  await benchOk(argv`report one --format latex --tables paper --out paper/tables.tex`, { cwd })
  const read = (name: string) => readFileSync(join(cwd, 'paper', name), 'utf8')
  expect(read('tables.tex').match(/tab:[^}]*/g)).toEqual([
    'tab:one-methods',
    'tab:one-pairs',
    'tab:one-spending',
  ])
  expect(read('tables-appendix.tex').match(/tab:[^}]*/g)).toContain('tab:one-spread')
  const alone = await benchOk(argv`report one --format latex --tables appendix`, { cwd })
  expect(`${alone}\n`).toBe(read('tables-appendix.tex'))
  expect(existsSync(join(cwd, 'paper/tables-appendix-appendix.tex'))).toBe(false)
  await refused(
    argv`report one --tables paper`,
    [/--tables paper\] does not apply to text\. Use --format latex/],
    { cwd },
  )
  await refused(argv`report one --format html --tables paper --out x.html`, [/does not apply to html/], {
    cwd,
  })
  await refused(argv`report one --format latex --tables papr`, ['Did you mean paper?'], { cwd })
  await refused(argv`report one --format latex --tables paper --pairs`, [/conflict: each chooses tables/], {
    cwd,
  })
})
