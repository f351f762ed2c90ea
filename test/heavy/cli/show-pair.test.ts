import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk, recordsOf, refused } from '../../helpers/runs/cli.ts'

it('bench show filters the trials of a run, and shows one task under two methods', async () => {
  const cwd = tempFolder()
  const args = ['--tasks', 'ferry-morning,money-split', '--methods', 'baseline,consensus', '--epochs', '2']
  await benchOk([...args, '--quiet', '--out', 'run'], { cwd })
  const records = recordsOf(join(cwd, 'run'))
  const failed = records.filter(({ method, passed }) => method === 'baseline' && passed === false)
  const list = await benchOk(['show', 'run', '--failed', '--method', 'baseline'], { cwd })
  expect(list.match(/^ {2}[0-9a-f]{12} {2}baseline, .*not passed/gm) ?? []).toHaveLength(failed.length)
  expect(list).toContain('of 8 recorded trials')
  expect(list).not.toContain('consensus')

  const all = await benchOk(['show', 'run', '--task', 'ferry-morning', '--method', 'consensus'], { cwd })
  expect(all).toContain('2 of 8 recorded trials, the trials of consensus on answers/ferry-morning')

  const answers = await benchOk(
    ['show', 'run', '--task', 'ferry-morning', '--methods', 'baseline,consensus'],
    {
      cwd,
    },
  )
  expect(answers).toMatch(/^Task answers\/ferry-morning: /)
  expect(answers.match(/^ +[12] {2}(baseline|consensus) +(not )?passed +/gm)).toHaveLength(4)
  expect(answers).toMatch(/Verdicts\n {2}baseline: /)
  const files = await benchOk(
    ['show', 'run', '--task', 'code/money-split', '--methods', 'consensus,baseline'],
    {
      cwd,
    },
  )
  expect(files).toMatch(/\nFiles {3}- consensus {3}\+ baseline\n/)

  const nothing = ['show', 'run', '--methods', 'baseline,consesus', '--task', 'ferry-morning']
  await refused(nothing, ['Did you mean "consensus"?'], { cwd })
  const mixed = ['show', 'run', '--failed', '--method', 'x', '--tokens']
  await refused(mixed, ['[--failed] conflicts with --tokens'], { cwd })
})
