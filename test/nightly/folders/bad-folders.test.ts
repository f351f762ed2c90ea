import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, refused, root, wholeLines, withNewChecksum } from '../../helpers/runs/cli.ts'

const small = ['--tasks', 'ferry-morning', '--methods', 'baseline']

/** A finished run of one trial. */
async function finishedRun(): Promise<string> {
  const folder = join(tempFolder(), 'run')
  await benchOk([...small, '--agents', 'oracle', '--quiet', '--out', folder])
  return folder
}

it('bench run refuses a folder that is not writable or not empty', async () => {
  const folder = folderOf({ file: '' })
  await refused([...small, '--out', join(folder, 'file')], ['--out', 'ENOTDIR'])
  await refused(
    argv`${small} --out ${join(folder, 'file/below')}`,
    ['cannot be written: it is a file, or below one \\(ENOTDIR\\)', 'a folder that you may write to'].map(
      (text) => new RegExp(text),
    ),
  )
  await refused([...small, '--out', folder], ['is not an empty folder'])
  const wrong = ['--tasks', 'nope', '--methods', 'baselin', '--out']
  await refused([...wrong, join(folder, 'file/below')], ['"nope"', '"baseline"', 'below one (ENOTDIR)'])
  const deep = join(tempFolder(), 'new/deep')
  await refused([...wrong, deep], ['"nope"', '"baseline"'])
  expect(existsSync(dirname(deep))).toBe(false)
  const run = await finishedRun()
  await refused([...small, '--out', run], ['already holds a run', `bench run --resume ${run}`])
})

needs('Linux').it(
  'bench refuses an output below a place where no folder can be made',
  { timeout: 60_000 },
  async () => {
    await refused([...small, '--out', '/proc/nothing'], ['--out /proc/nothing', 'cannot be written'])
    await refused(argv`${small} --junit /proc/nothing/a.xml`, [
      '--junit /proc/nothing/a.xml',
      'cannot be written',
    ])
    const page = '/proc/nothing/page.html'
    const report = ['report', await finishedRun(), '--format', 'html', '--out', page]
    await refused(report, [`--out ${page}`, 'cannot be written'])
  },
)

needs('Linux').it('bench run works where no cache can be made', { timeout: 60_000 }, async () => {
  const env = { ORCHESTRATION_BENCH_CACHE: '/proc/nothing' }
  await benchOk([...small, '--quiet', '--out', 'run'], { env })
})

it('bench run refuses to resume a folder without a run, or with changed settings', async () => {
  const run = await finishedRun()
  await refused(['--resume', join(run, 'none')], ['names no run: there is no such folder', 'bench runs'])
  await refused(argv`--resume ${run} --tasks all --parallel 0`, [
    '[--tasks] conflicts with --resume',
    '--parallel 0',
  ])
  await refused(['--resume', run, '--agent', 'solver=no-op'], ['--agent', 'conflicts with --resume'])
  await refused(['--resume', run, '--baseline', 'baseline'], ['--baseline', 'conflicts with --resume'])
  const others = ['--grade-candidates', '--match-budget', 'baseline', '--stop-when', 'settled']
  await refused(
    argv`--resume ${run} ${others}`,
    ['--grade-candidates', '--match-budget', '--stop-when'].map(
      (flag) => `[${flag}] conflicts with --resume`,
    ),
  )
})

it('bench report, show and replay refuse unknown folders, trials and names', async () => {
  const run = await finishedRun()
  for (const command of ['report', 'show', 'replay'])
    await refused([command, join(run, 'none')], ['names no run'])
  await refused(['report', run, '--format', 'markdwn'], ['Did you mean "markdown"?'])
  await refused(['report', run, '--baseline', 'baselin'], ['Did you mean "baseline"?'])
  await refused(['show', run, 'zzz'], ['no record of a trial whose id starts with this'])
  await refused(['replay', run, 'zzz'], ['no record of a trial whose id starts with this'])
  await refused(['replay', run, '--times', '0'], ['--times 0'])
})

it('every command refuses a run folder of a newer version', async () => {
  const run = await finishedRun()
  const [manifest, records] = [join(run, 'run.json'), join(run, 'records.jsonl')]
  const [line = ''] = wholeLines(records)
  writeFileSync(records, `${withNewChecksum(line.replace('"schemaVersion":1', '"schemaVersion":99'))}\n`)
  for (const args of [
    ['report', run],
    ['show', run],
    ['replay', run],
    ['--resume', run],
  ])
    await refused(args, ['records.jsonl:1', 'newer bench: schemaVersion 99', 'Update bench'])
  writeFileSync(records, `${line}\n`)
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"schemaVersion": 1', '"schemaVersion": 99'))
  for (const args of [
    ['report', run],
    ['show', run],
    ['replay', run],
    ['--resume', run],
  ])
    await refused(args, ['newer bench: schemaVersion 99', 'Update bench'])
})

it('bench adds nothing to a run folder of a newer version', async () => {
  const run = join(tempFolder(), 'run')
  await benchOk(argv`--tasks answers --methods baseline --agents oracle --quiet --out ${run}`)
  const records = join(run, 'records.jsonl')
  const [line = ''] = wholeLines(records)
  const newer = `${withNewChecksum(line.replace('"schemaVersion":1', '"schemaVersion":99'))}\n`
  writeFileSync(records, newer)
  await refused(['--resume', run], ['newer bench: schemaVersion 99'])
  expect(readFileSync(records, 'utf8')).toBe(newer)
})

it('errors name the place where records.jsonl or run.json is broken', async () => {
  const run = await finishedRun()
  writeFileSync(join(run, 'records.jsonl'), 'nonsense\n')
  for (const args of [
    ['report', run],
    ['show', run],
    ['--resume', run],
  ])
    await refused(args, ['records.jsonl:1', 'is not a line of JSON'])
  expect((await bench(['runs', join(run, '..')])).stdout).toContain(run)
  const manifest = readFileSync(join(run, 'run.json'), 'utf8')
  for (const broken of ['{', `\ufeff${manifest}`]) {
    writeFileSync(join(run, 'run.json'), broken)
    await refused(['report', run], ['run.json] is damaged', 'Restore the file as bench wrote it'])
  }
})

it('bench state and replay refuse a run whose ledger has lost lines', async () => {
  const run = join(tempFolder(), 'run')
  await benchOk(['--tasks', 'ferry-morning', '--methods', 'sequential', '--quiet', '--out', run])
  const [steps, records] = [join(run, 'steps.jsonl'), join(run, 'records.jsonl')]
  const [whole, recorded] = [readFileSync(steps, 'utf8'), readFileSync(records, 'utf8')]
  expect(await benchOk(['state', run])).toContain('"state":')
  writeFileSync(steps, `${wholeLines(steps).reverse().join('\n')}\n`)
  await refused(['state', run], ['was changed after it had been written', 'from a copy of the run folder'])
  writeFileSync(steps, '')
  await refused(['state', run], ['holds 0 of its'])
  expect(await bench(['replay', run])).toMatchObject({ code: 1, stdout: expect.stringContaining('holds 0') })
  writeFileSync(records, '')
  for (const command of ['state', 'replay']) await refused([command, run], ['steps.jsonl] has lost lines'])
  rmSync(steps)
  for (const command of ['state', 'replay']) await refused([command, run], ['steps.jsonl] has lost lines'])
  writeFileSync(steps, whole)
  writeFileSync(records, recorded)
  expect(await benchOk(['replay', run])).toContain('no divergence')
})

it('bench runs refuses a folder that is itself a run, and --dry-run refuses --resume', async () => {
  const run = await finishedRun()
  await refused(['runs', run], ['is itself a run folder', `bench show ${run}`, `bench runs ${dirname(run)}`])
  await refused(['--resume', run, '--dry-run'], ['--dry-run', 'conflicts with --resume', `bench show ${run}`])
})

async function wholeRun() {
  const place = tempFolder()
  const folder = join(place, 'run')
  const env = { WORKER_LOG: join(place, 'log') }
  const agent = `scripted:${join(root, 'fixtures/agents/paid-worker.mjs')}`
  const plan = ['--tasks', 'ferry-morning,lamp-paths', '--methods', 'baseline,A=baseline']
  await benchOk(['--mode', 'live', '--agents', agent, ...plan, '--out', folder, '--quiet'], { env })
  return { folder, env, calls: () => wholeLines(env.WORKER_LOG).length }
}

it('reports refuse a complete run that has lost a record, and record no interim look, until the record is restored', async () => {
  const { folder, env, calls } = await wholeRun()
  const path = join(folder, 'records.jsonl')
  const whole = readFileSync(path, 'utf8')
  const before = await benchOk(['report', folder])
  // After a power loss a file may end in zero bytes, which are not a line.
  const zeros = '\0'.repeat(whole.length)
  for (const left of [whole.split('\n').slice(1).join('\n'), '', zeros]) {
    writeFileSync(path, left)
    for (const command of ['report', 'show'])
      await refused([command, folder], ['has lost records', `bench run --resume ${folder}`])
    await refused(['compare', `${folder}:baseline`, `${folder}:A`], ['has lost records'])
  }
  expect(existsSync(join(folder, 'looks.jsonl'))).toBe(false)

  writeFileSync(path, whole.split('\n').slice(1).join('\n'))
  const asked = calls()
  expect(await bench(['--resume', folder, '--quiet'], { env })).toMatchObject({ code: 0 })
  expect(calls()).toBe(asked)
  expect(await benchOk(['report', folder])).toBe(before)
})

it('a run without sessions.jsonl reports what is unknown, in reports and when it is resumed', async () => {
  const { folder, env } = await wholeRun()
  rmSync(join(folder, 'sessions.jsonl'))
  const { code, stdout, stderr } = await bench(['report', folder])
  expect(code).toBe(0)
  expect(stderr).toContain('sessions.jsonl holds no session')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('number of processors and parallel trials unknown')
  expect(stdout).not.toMatch(/, ,| trial in parallel/)
  expect((await bench(['--resume', folder, '--quiet'], { env })).stderr).toContain('holds no session')
})
