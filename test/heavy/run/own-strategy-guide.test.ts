import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { folderOf } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordLines, recordsOf, refused, root } from '../../helpers/runs/cli.ts'
import { code, guided } from '../../helpers/scenarios/own-strategy-scenario.ts'

it('the guide’s strategy runs beside a built-in one, resumes after a stop, and replays', async () => {
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
  // It also works in another folder: run.json has the path of the file.
  await benchOk(['replay', join(cwd, 'whole')])
})

it('bench methods describes a strategy from a file, and refuses a broken one with every problem', async () => {
  const cwd = guided()
  expect(await benchOk(['methods', './my-strategy.ts'], { cwd })).toMatch(
    /draft-and-review: .*\n[\s\S]*drafts/,
  )
  const bare = code.replace(/ {2}declaration: \{[\s\S]*?\n {2}\},\n/, '')
  writeFileSync(join(cwd, 'bare.ts'), bare)
  expect(await benchOk(['methods', './bare.ts'], { cwd })).toMatch(
    /^draft-and-review: .*\n\n {2}No diagram: the strategy has no declaration\.\n\nRoles\n/,
  )
  writeFileSync(join(cwd, 'broken.ts'), "export default { name: 'B', roles: { a: 'think' } }")
  const wrong = [/broken\.ts\] name: /, /roles\.a: must be one of/, /run: must be a function/]
  await refused(['methods', './broken.ts'], wrong, { cwd })
  await refused(['--tasks', '0.5', '--methods', './broken.ts,./none.ts'], [...wrong, 'no such file'], { cwd })
})

it('a strategy file and a program import identical objects from the package', async () => {
  const cwd = folderOf({
    'all.mjs': `import * as bench from 'orchestration-bench'
globalThis.given = bench
export default bench.defineStrategy({ name: 'all', summary: 's', options: bench.z.object({}), roles: { solver: 'produce' },
  run: async (context) => bench.endWith(context, { answer: await bench.solve(context, 'solver'), stopReason: 'done' }) })`,
    'program.mjs': `import * as api from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
await api.run({ tasks: ['lamp-paths'], methods: ['./all.mjs'], out: 'run' })
const names = new Set([...Object.keys(api), ...Object.keys(given)])
// Newer Nodes add this name to the namespace of a CommonJS module.
names.delete('module.exports')
console.log(JSON.stringify([[...names].filter((name) => api[name] !== (name in given ? given[name] : undefined)), names.size]))`,
  })
  const { stdout } = await execa(process.execPath, ['program.mjs'], { cwd })
  const [different, size] = JSON.parse(stdout)
  expect(different).toEqual(['run'])
  expect(size).toBeGreaterThan(20)
  expect(recordsOf(join(cwd, 'run'))).toMatchObject([{ method: 'all', outcome: { status: 'completed' } }])
})
