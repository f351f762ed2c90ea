import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, inject, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, root, stepsOf } from '../../helpers/runs/cli.ts'

it('bench run prints results to stdout and everything else to stderr', async () => {
  const common = ['--tasks', 'lamp-paths', '--methods', 'baseline', '--agents', 'oracle']
  const loud = await bench(common)
  expect(loud.stdout).toContain('simulated')
  expect(loud.stderr).toMatch(/1 trials?, \d+ in parallel/)
  const quiet = await bench([...common, '--json', '--quiet'])
  expect(quiet.stderr).toMatch(/^run folder: results\/\S+$/)
  expect(JSON.parse(quiet.stdout)).toMatchObject({
    kind: 'summary',
    simulated: true,
    methods: [{ method: 'baseline' }],
  })
})

it('bench run ends with exit code 1 if a --fail-if holds, else with 0', async () => {
  const common = argv`--tasks lamp-paths --methods baseline,sequential --agents oracle --quiet`
  expect(await bench([...common, '--fail-if', 'baseline.success<1,*.missing>0'])).toMatchObject({ code: 0 })
  const held = await bench([...common, '--fail-if', 'baseline.success<1,baseline.passed>=1'])
  expect(held).toMatchObject({ code: 1 })
  expect(held.stderr).toContain('--fail-if holds: baseline.passed>=1 (it is 1 for baseline)')
})

it('bench run ends with exit code 1 if trials end in error, and counts them as missing, never as 0', async () => {
  const agent = join(tempFolder(), 'broken.mjs')
  writeFileSync(agent, `export default () => { throw new Error('no connection') }\n`)
  const folder = join(tempFolder(), 'run')
  const ended = await bench(
    argv`--tasks lamp-paths --methods baseline --agents scripted:${agent} --out ${folder}`,
  )
  expect(ended).toMatchObject({ code: 1 })
  expect(ended.stderr).toContain('1 trial ended in error, which counts as missing')
  expect(recordsOf(folder)).toMatchObject([
    { outcome: { status: 'error' }, passed: null, score: null, scores: [] },
  ])
})

it('a free request leaves the folder untouched, and writes answer and change set as artifacts', async () => {
  const place = tempFolder()
  const workspace = join(place, 'app')
  mkdirSync(join(workspace, 'src'), { recursive: true })
  writeFileSync(join(workspace, 'src/hello.js'), 'export const hello = 1\n')
  writeFileSync(join(place, 'wish.md'), 'Make hello 2.\n')
  const agent = join(place, 'agent.mjs')
  writeFileSync(
    agent,
    "export const simulated = false\nexport default () => 'Done.\\n\\nFILE: src/hello.js\\n```js\\nexport const hello = 2\\n```\\n\\nFILE: new.txt\\n```\\nnew\\n```\\n'\n",
  )
  const folder = join(place, 'run')
  const request = ['--instruction', join(place, 'wish.md'), '--workspace', workspace]
  await benchOk(argv`${request} --methods baseline --agents scripted:${agent} --mode live --out ${folder}`)

  expect(readFileSync(join(workspace, 'src/hello.js'), 'utf8')).toBe('export const hello = 1\n')
  expect(readdirSync(workspace)).toEqual(['src'])
  const [record] = recordsOf(folder)
  expect(record).toMatchObject({
    task: 'request/wish',
    outcome: { status: 'completed' },
    passed: null,
    score: null,
  })
  const artifacts = join(folder, 'artifacts', record?.trial ?? '')
  expect(readFileSync(join(artifacts, 'files/src/hello.js'), 'utf8')).toBe('export const hello = 2\n')
  expect(readFileSync(join(artifacts, 'files/new.txt'), 'utf8')).toBe('new\n')
  expect(readFileSync(join(artifacts, 'answer.md'), 'utf8')).toContain('Done.')
  const patch = readFileSync(join(artifacts, 'changes.patch'), 'utf8')
  expect(patch).toContain('-export const hello = 1\n+export const hello = 2\n')
  expect(stepsOf(folder)[0]).toMatchObject({ kind: 'ask', changeSet: { changes: expect.anything() } })
})

it('a program runs bench through the package’s entry', async () => {
  const program = `
    import { run, UserError } from 'orchestration-bench'
    const events = []
    const { folder, summary, interrupted, records } = await run({
      tasks: ['lamp-paths', 'ferry-morning'], methods: 'baseline', agents: 'oracle', seed: 1, parallel: 2,
      out: process.env.OUT, onEvent: ({ type }) => events.push(type),
    })
    const mistake = await run({ tasks: 'nonesuch', methods: [] }).catch((error) => error)
    console.log(JSON.stringify({
      folder, interrupted, events, method: summary.methods[0].method, passed: [...records()].map(({ passed }) => passed),
      mistake: mistake instanceof UserError && mistake.problems.length,
    }))`
  const out = join(tempFolder(), 'run')
  const { stdout } = await execa(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    env: { OUT: out, ORCHESTRATION_BENCH_CACHE: inject('cache') },
  })
  expect(JSON.parse(stdout)).toMatchObject({
    folder: out,
    interrupted: false,
    method: 'baseline',
    passed: [true, true],
    mistake: 2,
  })
  expect((JSON.parse(stdout) as { events: string[] }).events).toContain('trial')
  expect(existsSync(join(out, 'summary.md'))).toBe(true)
})
