import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordLines, recordsOf, refused, root, stepsOf } from '../../helpers/runs/cli.ts'

/** The guide to strategies. */
const guide = readFileSync(join(root, 'docs/guides/add-a-strategy.md'), 'utf8')

/** The strategy of the guide. */
const code = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''

/** A folder that holds the guide's strategy and nothing else. */
function guided(): string {
  const cwd = folderOf({ 'my-strategy.ts': code })
  return cwd
}

it('bench run refuses a strategy file that never finishes loading', async () => {
  const cwd = folderOf({ 'hang.mjs': 'await new Promise(() => {})\nexport default {}' })
  const why = /cannot be loaded: its top-level await never ends/
  await refused(['methods', './hang.mjs'], [why], { cwd })
  await refused(['--tasks', 'lamp-paths', '--methods', './hang.mjs'], [why], { cwd })
  const agents = ['--tasks', 'lamp-paths', '--methods', 'baseline', '--agents', 'scripted:hang.mjs']
  await refused(agents, [/does not load: its top-level await never ends/], { cwd })
})

it('bench run stays in its folder when a strategy calls process.chdir()', async () => {
  const cwd = folderOf({
    'away.mjs': `import { defineStrategy, z } from 'orchestration-bench'
export default defineStrategy({ name: 'away', summary: 's', options: z.object({}), roles: { solver: 'produce' },
  run: async () => { process.chdir('/'); return { stopReason: 'done' } } })`,
  })
  const ran = await bench(argv`--tasks lamp-paths --methods ./away.mjs,baseline --out run`, {
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

it.each(['careful.ts', 'careful.mjs'])(
  'a strategy can distinguish failures of agents from limits by the package’s classes, in %s',
  async (name) => {
    const cwd = tempFolder()
    const type = (text: string) => (name.endsWith('.ts') ? text : '')
    writeFileSync(
      join(cwd, name),
      `import { AgentError, defineStrategy, LimitError, z } from 'orchestration-bench'
export default defineStrategy({ name: 'careful', summary: 's', options: z.object({}), roles: { solver: 'produce', critic: 'judge' },
  async run({ ask }) {
    const seen${type(': string[]')} = []
    const heed = (failure${type(': unknown')}) => {
      if (failure instanceof AgentError) seen.push(\`agent: \${failure.reason}\`)
      else if (failure instanceof LimitError) seen.push(\`limit: \${failure.limit}\`)
      else throw failure
    }
    await ask('critic', 'What is wrong?').catch(heed)
    await ask('solver', 'Solve it.').catch(heed)
    return { stopReason: 'done', detail: seen.join(', ') }
  } })`,
    )
    const run = ['--tasks', 'lamp-paths', '--methods', `./${name}`, '--inject', 'critic:empty=1']
    // An empty reply of a critic is asked for once more.
    await bench([...run, '--limit', 'calls=2', '--out', 'run'], { cwd })
    expect(recordsOf(join(cwd, 'run'))).toMatchObject([
      { outcome: { status: 'limited' }, detail: 'agent: empty, limit: calls' },
    ])
  },
)

it('agents get the same text from a user’s file as from an equal built-in method', async () => {
  const cwd = tempFolder()
  const source = readFileSync(join(root, 'strategies/baseline.ts'), 'utf8')
  writeFileSync(
    join(cwd, 'mine.ts'),
    source
      .replace(/ from '(?:\.\.\/src\/.*|zod)'/g, " from 'orchestration-bench'")
      .replace("name: 'baseline'", "name: 'mine'"),
  )
  await benchOk(argv`--tasks lamp-paths,ferry-morning --methods baseline,./mine.ts --out run`, {
    cwd,
  })
  const records = recordsOf(join(cwd, 'run'))
  const promptsOf = (method: string) => {
    const tasks = new Map(records.flatMap((one) => (one.method === method ? [[one.trial, one.task]] : [])))
    const asks = stepsOf(join(cwd, 'run')).filter((step) => step.kind === 'ask' && tasks.has(step.trial))
    return Object.fromEntries(asks.map((step) => [tasks.get(step.trial), 'prompt' in step && step.prompt]))
  }
  expect(promptsOf('mine')).toEqual(promptsOf('baseline'))
  expect(Object.keys(promptsOf('mine'))).toHaveLength(2)
})

it('the package’s types check the guide’s strategy', async () => {
  const cwd = guided()
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(root, join(cwd, 'node_modules/orchestration-bench'))
  writeFileSync(join(cwd, 'package.json'), '{"type":"module"}')
  const check = () =>
    execa(
      process.execPath,
      argv`${join(root, 'node_modules/typescript/bin/tsc')} --noEmit --strict --skipLibCheck --types ${''}
        --module nodenext my-strategy.ts`,
      { cwd, reject: false },
    )
  expect(await check()).toMatchObject({ exitCode: 0, stdout: '' })
  writeFileSync(join(cwd, 'my-strategy.ts'), code.replace("ask('writer'", "ask('author'"))
  expect((await check()).stdout).toContain('"author"')
})

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
