import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordLines, recordsOf, refused, root } from '../../helpers/runs/cli.ts'

const guide = readFileSync(join(root, 'docs/guides/workflows.md'), 'utf8')
const file = /```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''

it('the guide’s workflow runs, resumes after a stop without its file, and replays', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'pair.yaml'), file)
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

it('all problems of a workflow are reported with their lines before anything runs', async () => {
  const cwd = tempFolder()
  const bad = file
    .replace('agent: sceptic', 'agent: skeptic')
    .replace('can_iterate: making', 'can_iterate: makng')
  writeFileSync(join(cwd, 'pair.yaml'), bad)
  await refused(
    ['--tasks', 'lamp-paths', '--methods', 'collaboration[workflow=./pair.yaml]'],
    [
      /\[\.\/pair\.yaml:\d+ stages\.1\.agent\] there is no agent "skeptic"\. Did you mean sceptic\?/,
      /\[\.\/pair\.yaml:\d+ stages\.3\.can_iterate\] there is no stage "makng"/,
    ],
    { cwd },
  )
})
