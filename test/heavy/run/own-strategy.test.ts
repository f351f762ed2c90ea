import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordsOf, refused, root, stepsOf } from '../../helpers/runs/cli.ts'
import { code, guided } from '../../helpers/scenarios/own-strategy-scenario.ts'

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
  await benchOk(['--tasks', 'lamp-paths,ferry-morning', '--methods', 'baseline,./mine.ts', '--out', 'run'], {
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
