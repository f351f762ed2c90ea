import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { formats, runFormats } from '../../../src/reports/registry.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import {
  bench,
  benchOk,
  recordsOf,
  refused,
  root,
  shareProcess,
  soon,
  startBench,
  stepsOf,
  withNewChecksum,
} from '../../helpers/runs/cli.ts'

shareProcess()

// One run for all tests of this file: reading must not change it.
const place = mkdtempSync(join(tmpdir(), 'bench-test-'))
const folder = join(place, 'run')
afterAll(() => rmSync(place, { recursive: true, force: true }))

beforeAll(async () => {
  const args = argv`--tasks lamp-paths,ferry-morning,money-split --methods baseline,sequential
    --agents oracle`
  await execa(process.execPath, [join(root, 'dist/bench/cli.cjs'), ...args, '--out', folder, '--quiet'])
})

it('bench methods, agents, tasks and doctor print lists, also as JSON', async () => {
  expect(await benchOk(['methods'])).toMatch(/baseline[\s\S]*sequential/)
  expect(await benchOk(['methods', 'sequential'])).toMatch(
    /contract-writer → \( \( auditor → code-generator \)\* up to maxInner[\s\S]*Ends when[\s\S]*maxInner[\s\S]*default 10[\s\S]*flowchart LR/,
  )
  expect(await benchOk(['methods', 'self-consistency'])).toMatch(/ {2}match +string +default none +LABEL/)
  expect(JSON.parse(await benchOk(['methods', 'retry', '--json']))).toMatchObject([
    { options: { match: { type: 'string', default: null } } },
  ])
  expect(await benchOk(['agents'])).toMatch(/simulated[\s\S]*scripted:PATH[\s\S]*default/)
  expect(await benchOk(['tasks'])).toContain('code/money-split')
  expect(await benchOk(['tasks', 'money-split'])).toContain('MIT')
  expect(await benchOk(['doctor'])).toMatch(/node.*\n[\s\S]*python3/)
  for (const command of ['agents', 'tasks', 'doctor'])
    expect(Object.keys(JSON.parse(await benchOk([command, '--json'])) as object), command).not.toEqual([])
  const application = await benchOk(['methods', 'external'])
  expect(application).toMatch(/^Ends when {4}its program has ended$/m)
  expect(application).toMatch(/^ {2}env +object .*config file only$/m)
  expect(application).toMatch(/--methods external:COMMAND, short for external\[command=COMMAND\]/)
  expect(application).not.toMatch(/^ {2}(?:tools|program) /m)
  const documents = await benchOk(['methods', 'collaboration'])
  expect(documents).toMatch(/--methods collaboration:FILE, short for collaboration\[workflow=FILE\]/)
  expect(documents).toMatch(
    /--methods collaboration:NAME\n[\s\S]*\n {2}quick_code_fix +An implementation without a design/,
  )
  expect(JSON.parse(await benchOk(['methods', 'collaboration', '--json']))).toMatchObject([
    {
      document: 'workflow',
      documents: [{ name: 'architecture_review' }, {}, { file: 'quick_code_fix.yaml' }],
    },
  ])
  const methods = await benchOk(['methods', '--json'])
  expect(Object.keys(JSON.parse(methods) as object)).not.toEqual([])
  expect(await benchOk(['methods', '--format', 'json'])).toBe(methods)
  const runs = JSON.parse(await benchOk(['runs', join(folder, '..'), '--json'])) as object[]
  expect(runs).toMatchObject([{ run: folder, trials: 6, recorded: 6, methods: ['baseline', 'sequential'] }])
})

needs('Linux').it('a full output device is reported in one line', () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist/bench/cli.cjs'), 'report', folder],
    { stdio: ['ignore', full, 'pipe'], encoding: 'utf8' },
  )
  closeSync(full)
  expect(status).toBe(1)
  expect(stderr).toBe('bench: cannot write to stdout (ENOSPC). Free some space, or redirect the output.\n')
})

it('bench tasks shows nothing that is hidden in a task', async () => {
  const task = join(root, 'tasks/code/money-split')
  const secret = readFileSync(join(task, 'tests/split-money.test.mjs'), 'utf8')
    .split('\n')
    .filter((line) => line.length > 40)
  for (const args of [
    ['tasks', 'money-split'],
    ['tasks', 'money-split', '--json'],
  ]) {
    const shown = await benchOk(args)
    for (const line of secret) expect(shown).not.toContain(line.trim())
  }
})

it('bench report prints a run in every format', async () => {
  expect(await benchOk(['report', folder])).toContain('baseline')
  expect(await benchOk(['report', folder, '--format', 'markdown', '--tasks'])).toMatch(
    /\| *baseline[\s\S]*money-split/,
  )
  const csv = await benchOk(['report', folder, '--format', 'csv'])
  expect(csv.split('\n')[0]).toContain('method')
  expect(csv).toMatch(/^(?:.*,)?sequential,/m)
  const json = JSON.parse(
    await benchOk(['report', folder, '--format', 'json', '--baseline', 'sequential']),
  ) as object
  expect(json).toMatchObject({ baseline: 'sequential', simulated: true })
  const twice = await benchOk(['report', folder, folder])
  await refused(argv`report ${folder} ${folder} --format csv`, [
    'supports only one run',
    'text, markdown, latex',
  ])
  expect(twice.match(/2 methods on 3 tasks/g)).toHaveLength(2)
})

it('--help of bench report and bench compare lists every format', async () => {
  const [report, compare] = [await benchOk(['report', '--help']), await benchOk(['compare', '--help'])]
  for (const [name, { summary }] of Object.entries(formats))
    for (const help of [report, compare]) expect(help).toContain(`${name.padEnd(10)} ${summary}`)
  for (const name of Object.keys(runFormats)) {
    expect(report).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(compare).not.toMatch(new RegExp(`^  ${name} `, 'm'))
  }
})

it('bench report refuses two options that each print only one part', async () => {
  await refused(argv`report ${folder} --pairs --coordination`, [
    '[--pairs --coordination] conflict: each prints only one part',
    'Use one of them',
  ])
})

it('a comparison with a reference bound is refused as such, without advice to resume the run', async () => {
  const cwd = tempFolder()
  const methods = ['--tasks', 'ferry-morning', '--methods', 'baseline,sequential']
  await benchOk([...methods, '--agents', 'simulated,oracle,no-op', '--out', 'a', '--quiet'], { cwd })
  const compared = await refused(
    argv`compare a:sequential@simulated a:sequential@oracle`,
    ['oracle is a reference bound and is excluded from comparisons', 'bench report a shows'],
    { cwd },
  )
  expect(compared.stderr).not.toContain('--resume')
  await refused(
    argv`report a --interactions`,
    [
      /several sets of agents each: oracle and no-op are reference bounds/,
      'with --agents A,B that are not bounds',
    ],
    { cwd },
  )
  const single = ['--tasks', 'ferry-morning', '--methods', 'baseline', '--agents', 'simulated,oracle']
  await benchOk([...single, '--out', 'b', '--quiet'], { cwd })
  await refused(argv`report b --pairs`, ['no two methods to compare: oracle is a reference bound'], {
    cwd,
  })
})

it('bench compare reports that two profiles of the same name differ', async () => {
  const cwd = tempFolder()
  const profile = readFileSync(join(root, 'fixtures/profiles/default.yaml'), 'utf8')
  const weaker = profile.replace(/produce: [\d.]+/, 'produce: 0.01')
  expect(weaker).not.toBe(profile)
  writeFileSync(join(cwd, 'p.yaml'), weaker)
  const args = ['--tasks', 'ferry-morning', '--methods', 'baseline', '--quiet']
  await benchOk([...args, '--out', 'a', '--profile', './p.yaml'], { cwd })
  await benchOk([...args, '--out', 'b'], { cwd })
  const compared = await benchOk(['compare', 'a:baseline', 'b:baseline'], { cwd })
  expect(compared).toMatch(/profiles differ, though both are called\s+default@1/)
})

it('bench power recommends two epochs after a pilot of one epoch', async () => {
  const remedy = /the variation within a task is unknown; run a pilot with\s+--epochs\s+2/
  const cwd = tempFolder()
  const args = argv`--tasks ferry-morning,lamp-paths,workshop-day --methods baseline,sequential --quiet`
  await benchOk([...args, '--out', 'pilot'], { cwd })
  expect(await benchOk(['power', 'pilot', '--epochs', '5'], { cwd })).toMatch(remedy)
  await refused(['power', 'pilot', '--power', '150'], ['Write for example --power 80.'], { cwd })
})

it('bench show prints the digests of workflows instead of their content', async () => {
  const cwd = tempFolder()
  const args = ['--tasks', 'ferry-morning', '--methods', 'collaboration', '--out', 'run', '--quiet']
  await benchOk(args, { cwd })
  const shown = await benchOk(['show', 'run'], { cwd })
  const [line = ''] = shown.split('\n').filter((one) => one.startsWith('  method '))
  expect(line).toMatch(/"workflows":\{"architecture_review":"sha256 [0-9a-f]{12}",/)
  expect(line.length).toBeLessThan(400)
})

it('bench show prints a run, and a trial by the start of its id', async () => {
  const [record] = recordsOf(folder)
  expect(await benchOk(['show', folder])).toContain(record?.trial.slice(0, 12))
  const story = await benchOk(['show', folder, record?.trial.slice(0, 8) ?? ''])
  expect(story).toContain(record?.task)
  expect((await benchOk(['show', folder, record?.trial ?? '', '--full'])).length).toBeGreaterThanOrEqual(
    story.length,
  )
})

it('bench replay replays a run, one trial, and the grades', async () => {
  expect(await benchOk(['replay', folder])).toMatch(/6 trials replayed from the journal: no divergence/)
  const [record] = recordsOf(folder)
  expect(await benchOk(['replay', folder, record?.trial ?? ''])).toMatch(/1 trial replayed.*no divergence/)
  expect(await benchOk(['replay', folder, '--regrade'])).toMatch(
    /6 trials replayed and graded again: no divergence/,
  )
})

it('bench replay ends at Ctrl-C', async () => {
  const running = startBench(['replay', folder, '--times', '100000'])
  await soon(700)
  running.kill('SIGINT')
  const { code, signal, stdout } = await running.ended
  // On a slow machine the signal may end the process before it has a handler.
  expect([code ?? signal, stdout]).toEqual([code === undefined ? 'SIGINT' : 130, ''])
})

it('bench replay reports where it diverges from a changed record or journal', async () => {
  const copy = join(tempFolder(), 'run')
  await execa('cp', ['-r', folder, copy])
  const records = readFileSync(join(copy, 'records.jsonl'), 'utf8')
  const turned = records.replace('"passed":true,"score":1,', '"passed":false,"score":1,')
  writeFileSync(join(copy, 'records.jsonl'), turned)
  for (const args of [['replay'], ['report'], ['run', '--resume']])
    expect(await bench([...args, copy])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/records\.jsonl:\d\] was changed after it had been written/),
    })
  // The checksum is replaced, too.
  const forgery = turned.trimEnd().split('\n').map(withNewChecksum)
  writeFileSync(join(copy, 'records.jsonl'), `${forgery.join('\n')}\n`)
  const [changed] = recordsOf(copy).filter(({ passed }) => !passed)
  const forged = await bench(['replay', copy])
  expect(forged).toMatchObject({ code: 1 })
  expect(forged.stdout).toContain(`[trial ${changed?.trial}, record field passed] recorded: false`)

  writeFileSync(join(copy, 'records.jsonl'), records)
  const [step] = stepsOf(copy).filter(({ kind }) => kind === 'ask')
  const steps = readFileSync(join(copy, 'steps.jsonl'), 'utf8')
  writeFileSync(join(copy, 'steps.jsonl'), steps.replace(step?.hash ?? '', '0'.repeat(64)))
  const diverged = await bench(['replay', copy])
  expect(diverged).toMatchObject({ code: 1 })
  expect(diverged.stdout).toMatch(
    new RegExp(`\\[trial ${step?.trial}, step ${step?.key}, attempt 1\\] the request differs`),
  )
})

it('bench tasks check proves tasks and names those that their reference does not solve', async () => {
  expect(await benchOk(['tasks', 'check', 'money-split,lamp-paths'])).toContain('2 of 2 tasks proved')
  const suite = join(tempFolder(), 'suite')
  await execa('mkdir', [suite])
  await execa('cp', ['-r', join(root, 'tasks/answers/lamp-paths'), suite])
  writeFileSync(join(suite, 'lamp-paths/solution/answer.txt'), '')
  const empty = await bench(['tasks', 'check', `native:${suite}`])
  expect(empty.code).not.toBe(0)
  expect(empty.stdout + empty.stderr).toContain('lamp-paths')
})
