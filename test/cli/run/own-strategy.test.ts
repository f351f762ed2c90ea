import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordLines, recordsOf, refused, root } from '../../helpers/runs/cli.ts'

const guide = readFileSync(join(root, 'docs/guides/add-a-strategy.md'), 'utf8')
const code = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''

/** A folder that holds the guide's strategy and nothing else. */
function guided(): string {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'my-strategy.ts'), code)
  return cwd
}

it('runs the guide’s strategy beside a built-in one, goes on with it after a stop, and replays it', async () => {
  const cwd = guided()
  const plan = ['--tasks', 'lamp-paths,ferry-morning', '--methods', 'baseline,./my-strategy.ts[drafts=2]']
  await benchOk([...plan, '--out', 'whole'], { cwd })
  const stopped = await bench([...plan, '--out', 'parts', '--max-calls', '3'], { cwd })
  expect(stopped.code).toBe(3)
  await benchOk(['run', '--resume', 'parts', '--max-calls', 'none'], { cwd })

  expect(recordLines(join(cwd, 'parts'))).toEqual(recordLines(join(cwd, 'whole')))
  for (const { fidelity } of recordsOf(join(cwd, 'whole'))) expect(fidelity).toEqual({ status: 'kept' })
  expect(new Set(recordsOf(join(cwd, 'whole')).map(({ method }) => method))).toEqual(
    new Set(['baseline', 'draft-and-review[drafts=2]']),
  )
  // From elsewhere, too: the run folder knows where the file is.
  await benchOk(['replay', join(cwd, 'whole')])
})

it('describes a strategy from a file, and refuses a broken one with all that is wrong with it', async () => {
  const cwd = guided()
  expect(await benchOk(['methods', './my-strategy.ts'], { cwd })).toMatch(
    /draft-and-review: .*\n[\s\S]*drafts/,
  )
  writeFileSync(join(cwd, 'broken.ts'), "export default { name: 'B', roles: { a: 'think' } }")
  const wrong = [/broken\.ts\] name: /, /roles\.a: must be one of/, /run: must be a function/]
  await refused(['methods', './broken.ts'], wrong, { cwd })
  await refused(['--tasks', '0.5', '--methods', './broken.ts,./none.ts'], [...wrong, 'no such file'], { cwd })
})

it('tells a file that awaits for ever while it is loaded', async () => {
  const cwd = tempFolder()
  writeFileSync(join(cwd, 'hang.mjs'), 'await new Promise(() => {})\nexport default {}')
  const why = /cannot be loaded: it awaits, while it is loaded, something that never comes/
  await refused(['methods', './hang.mjs'], [why], { cwd })
  await refused(['--tasks', 'lamp-paths', '--methods', './hang.mjs'], [why], { cwd })
  const agents = ['--tasks', 'lamp-paths', '--methods', 'baseline', '--agents', 'scripted:hang.mjs']
  await refused(agents, [/does not load: it awaits, while it is loaded, something that never comes/], { cwd })
})

it('stays in its folder though a strategy would leave it', async () => {
  const cwd = tempFolder()
  writeFileSync(
    join(cwd, 'away.mjs'),
    `import { defineStrategy, z } from 'orchestration-bench'
export default defineStrategy({ name: 'away', summary: 's', options: z.object({}), roles: { solver: 'produce' },
  run: async () => { process.chdir('/'); return { stopReason: 'done' } } })`,
  )
  const ran = await bench(['--tasks', 'lamp-paths', '--methods', './away.mjs,baseline', '--out', 'run'], {
    cwd,
  })
  expect(ran.code).toBe(0)
  expect(ran.stderr).toContain('process.chdir("/") would move the whole run')
  expect(
    recordsOf(join(cwd, 'run'))
      .map(({ outcome }) => outcome.status)
      .sort(),
  ).toEqual(['completed', 'failed'])
})

it('gives an editor the types that the guide’s strategy is written against', async () => {
  const cwd = guided()
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(root, join(cwd, 'node_modules/orchestration-bench'))
  writeFileSync(join(cwd, 'package.json'), '{"type":"module"}')
  const check = () =>
    execa(
      process.execPath,
      [
        join(root, 'node_modules/typescript/bin/tsc'),
        ...[
          '--noEmit',
          '--strict',
          '--skipLibCheck',
          '--types',
          '',
          '--module',
          'nodenext',
          'my-strategy.ts',
        ],
      ],
      { cwd, reject: false },
    )
  expect(await check()).toMatchObject({ exitCode: 0, stdout: '' })
  writeFileSync(join(cwd, 'my-strategy.ts'), code.replace("ask('writer'", "ask('author'"))
  expect((await check()).stdout).toContain('"author"')
})
