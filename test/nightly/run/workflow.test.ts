import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderOf } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordLines, recordsOf, refused, root } from '../../helpers/runs/cli.ts'

const guide = readFileSync(join(root, 'docs/guides/workflows.md'), 'utf8')
const file = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''

it('the guide’s workflow runs, resumes after a stop without its file, and replays', async () => {
  const cwd = folderOf({ 'pair.yaml': file })
  const method = 'collaboration[workflow=./pair.yaml]'
  const plan = ['--tasks', 'lamp-paths,money-split', '--methods', method]
  await benchOk([...plan, '--out', 'whole'], { cwd })
  expect((await bench([...plan, '--out', 'parts', '--max-calls', '3'], { cwd })).code).toBe(3)
  writeFileSync(join(cwd, 'pair.yaml'), file.replace('right and whole', 'any good'))
  await benchOk(['run', '--resume', 'parts', '--max-calls', 'none'], { cwd })
  expect(recordLines(join(cwd, 'parts'))).toEqual(recordLines(join(cwd, 'whole')))
  await benchOk(['replay', 'whole'], { cwd })

  await benchOk([...plan, '--out', 'changed'], { cwd })
  const ids = (run: string) => recordsOf(join(cwd, run)).map(({ trial }) => trial)
  expect(ids('changed').filter((id) => ids('whole').includes(id))).toEqual([])
})

it('a workflow after a colon is the same method everywhere: typed, in a config file, and where labels are named', async () => {
  const cwd = folderOf({ 'pair.yaml': file })
  const config = [
    'run: { tasks: lamp-paths, methods: ["collaboration:./pair.yaml", entry, "twin:./pair.yaml[iterations=1]"] }',
    'methods:',
    '  entry: { strategy: "collaboration:./pair.yaml" }',
    '  twin: { strategy: collaboration }',
  ]
  writeFileSync(join(cwd, 'bench.config.yaml'), config.join('\n'))
  const long = ['collaboration[workflow=./pair.yaml]', 'entry', 'twin[workflow=./pair.yaml,iterations=1]']
  const labelled = [
    'A=collaboration:./pair.yaml[iterations=2]',
    'A=collaboration[workflow=./pair.yaml,iterations=2]',
  ]
  const gates = ['--baseline', 'collaboration:./pair.yaml', '--fail-if', 'collaboration:./pair.yaml.calls<0']
  await benchOk(['--out', 'file', ...gates], { cwd })
  await benchOk(['--out', 'typed', '--methods', long.join(',')], { cwd })
  await benchOk(['--out', 'a', '--methods', labelled[0] as string], { cwd })
  await benchOk(['--out', 'b', '--methods', labelled[1] as string], { cwd })
  const ids = (run: string) => recordsOf(join(cwd, run)).map(({ trial, method }) => [trial, method])
  expect(ids('file')).toEqual(ids('typed'))
  expect(
    ids('file')
      .map(([, method]) => method)
      .sort(),
  ).toEqual(long.sort())
  expect(ids('a')).toEqual(ids('b'))
  await benchOk(['report', 'typed', '--baseline', 'twin:./pair.yaml[iterations=1]'], { cwd })
  await benchOk(['compare', 'typed:collaboration:./pair.yaml', 'typed:entry'], { cwd })
})

it('a document that is missing, empty or named twice is refused with its place', async () => {
  const cwd = folderOf({ 'pair.yaml': file })
  const config = [
    'methods:',
    '  both: { strategy: "collaboration:./pair.yaml", options: { workflow: ./pair.yaml } }',
    '  none: { strategy: "collaboration:" }',
    '  plain: { strategy: "baseline:./pair.yaml" }',
    '  open: { strategy: "collaboration[workflow=./pair.yaml" }',
  ]
  writeFileSync(join(cwd, 'bench.config.yaml'), config.join('\n'))
  const { stderr } = await refused(
    argv`--tasks lamp-paths --methods collaboration:./gone.yaml,baseline:x,both,none,plain,open`,
    [
      /bench\.config\.yaml:2 methods\.both\.strategy\] names its document twice/,
      /bench\.config\.yaml:3 methods\.none\.strategy\] has no document after the colon/,
      /bench\.config\.yaml:4 methods\.plain\.strategy\] "baseline" reads no document/,
      /bench\.config\.yaml:5 methods\.open\.strategy\] is not a method/,
      /\.\/gone\.yaml\] there is no such file/,
      /--methods baseline:x\] "baseline" reads no document.* Methods that read a document: collaboration/,
    ],
    { cwd },
  )
  expect(stderr.trim().split('\n')).toHaveLength(6)
})
