import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bench, benchOk, refused, sealedAgain, wholeLines } from '../helpers/cli.ts'
import { tempFolder } from '../helpers/temp.ts'

const small = ['--tasks', 'ferry-morning', '--methods', 'baseline']

/** A finished run of one trial. */
async function finishedRun(): Promise<string> {
  const folder = join(tempFolder(), 'run')
  await benchOk([...small, '--agents', 'oracle', '--quiet', '--out', folder])
  return folder
}

it('names what it does not know, and what was probably meant', async () => {
  await refused(
    [
      ...['--tasks', 'ferry-mornin,humanevl:x.jsonl,none-*'],
      ...['--methods', 'baselin,sequential[maxInnr=3],./none.mjs'],
      ...['--agents', 'simulatd', '--profile', 'defalt'],
    ],
    [
      ...['"ferry-mornin"', 'Did you mean "ferry-morning"?', '"humanevl"', 'Did you mean "humaneval"?'],
      ...['none-\\*\\] matches no task', '"baselin"', 'Did you mean "baseline"?'],
      ...['"maxInnr"', 'Did you mean "maxInner"?', 'there is no such file', '"simulatd"'],
      ...['Did you mean "simulated"?', 'defalt'],
    ].map((text) => new RegExp(text.replace(/[?]$/, '\\?'))),
  )
  await refused([...small, '--agents', 'scripted:no.mjs'], ['there is no file no.mjs'])
  await refused(['--tasks', 'al', '--methods', 'baseline'], [/Did you mean "all"\?/])
  await refused(['methods', 'sequentia'], ['Did you mean "sequential"?'])
  await refused(['tasks', 'ferry'], ['"ferry"'])
  await refused(['runs', 'nowhere'], ['there is no such folder'])
})

it('names unknown flags and commands, and what was probably meant', async () => {
  await refused([...small, '--paralel', '3'], ["unknown option '--paralel'", 'Did you mean --parallel?'])
  await refused(['reprot', 'x'], ['reprot', /did you mean .*report/i])
  await refused(['--tasks'], ['argument missing'])
  await refused([...small, '--seed', '1', '--seed', '2'], ["'--seed <n>' stands twice, as 1 and as 2"])
})

it('tells all problems of all flags at once, and leaves nothing behind', async () => {
  const out = join(tempFolder(), 'run')
  const args = [
    ...[
      '--tasks',
      'ferry-mornin,none-*',
      '--methods',
      'baselin,sequential[maxInnr=3,maxOuter=no]',
      '--seed',
      '-1',
    ],
    ...[
      '--agents',
      'simulatd',
      '--parallel',
      '0',
      '--epochs',
      'x',
      '--limit',
      'calls=0,foo=3',
      '--approve',
      'no',
    ],
    ...['--mode', 'lve', '--baseline', 'foo', '--fail-if', 'bar', '--out', out],
  ]
  const { stderr } = await refused(args, [
    ...[
      '"ferry-mornin"',
      'none-\\*',
      '"baselin"',
      '"maxInnr"',
      'maxOuter',
      '--seed -1',
      '--parallel 0',
      '--epochs x',
    ].map((text) => new RegExp(text)),
    ...['"calls"', '"foo"', '--approve no', '--mode lve', '--baseline foo', '--fail-if bar', '"simulatd"'],
  ])
  for (const line of stderr.split('\n')) expect(line).toMatch(/^bench: \[.+\] .+/)
  expect(existsSync(out)).toBe(false)
})

it('makes no run folder for a run that cannot begin', async () => {
  for (const args of [
    [...small, '--agents', 'simulatd'],
    [...small, '--agents', 'scripted:none.mjs'],
    [...small, '--fail-if', 'nobody.success<1'],
  ]) {
    const out = join(tempFolder(), 'run')
    await refused([...args, '--out', out], [])
    expect(existsSync(out), args.join(' ')).toBe(false)
  }
})

it('wants tasks and methods, and in live mode an agent for each role', async () => {
  await refused([], ['[--tasks] is missing', '[--methods] is missing'])
  await refused(['--methods', 'baseline'], ['[--tasks] is missing'])
  await refused([...small, '--mode', 'live'], ['role "solver" has no agent', '--agent solver=PROVIDER:MODEL'])
  await refused([...small, '--mode', 'live', '--dev', '--agents', 'oracle'], ['--dev', '--mode live'])
  await refused(['--tasks', ',', '--methods', ','], ['names no task', 'names no method'])
  await refused(['--workspace', '.', '--methods', 'baseline'], ['--instruction'])
  await refused([...small, '--instruction', 'none.md'], ['does not go with --instruction', 'cannot be read'])
})

it('says which numbers it takes', async () => {
  const wrong = [
    ['--parallel', '1.5'],
    ['--epochs', 'x'],
    ['--seed', '-1'],
  ] as const
  await refused(
    [...small, ...wrong.flat()],
    wrong.flatMap(([flag, value]) => [
      `[${flag} ${value}] is not a whole number of at least`,
      `Write for example ${flag} `,
    ]),
  )
  await refused(['--tasks', '0', '--methods', 'baseline'], ['selects nothing'])
})

it('refuses two methods of one label, and says how to label them', async () => {
  await refused(
    ['--tasks', '1', '--methods', 'baseline,baseline'],
    ['the label "baseline" stands twice', 'A=baseline,B=baseline'],
  )
  await refused(['--tasks', '1', '--methods', 'A=baseline,A=sequential'], ['the label "A" stands twice'])
})

it('reads --fail-if before anything runs', async () => {
  const wrong = ['baseline', 'baseline.sucess<1', 'sequential.success<1']
  await refused(
    [...small, ...wrong.flatMap((gate) => ['--fail-if', gate])],
    [
      ...['is not METHOD.metric<number', 'sequential.success<0.8', 'there is no metric "sucess"'],
      ...['success, score, tokens', '"sequential"'],
    ],
  )
})

it('tells all that is wrong with a task, with file, line and field', async () => {
  const suite = tempFolder()
  mkdirSync(join(suite, 'broken'))
  const file = join(suite, 'broken/task.yaml')
  writeFileSync(file, 'id: broken\nversion: one\ntitel: Broken\ngraders:\n  - kind: exakt\n')
  const { stderr } = await refused(
    ['--tasks', `native:${suite}`, '--methods', 'baselin', '--epochs', '0'],
    ['--epochs 0', '"baselin"'],
  )
  expect(stderr).toContain(`[${join(suite, 'broken/instruction.md')}] is missing`)
  expect(stderr).toContain(`[${file}:2 version] should be a number`)
  expect(stderr).toContain(`[${file}:3 titel] is not a known field. Did you mean title?`)
  expect(stderr).toContain(`[${file}:5 graders.0.kind] "exakt" is not a known kind. Did you mean exact?`)
  for (const field of ['title', 'output', 'licence', 'source'])
    expect(stderr).toMatch(new RegExp(`${field}\\] is missing`))
})

it('refuses a run folder that it cannot write to, or that holds something', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'file'), '')
  await refused([...small, '--out', join(folder, 'file')], ['--out', 'ENOTDIR'])
  await refused(
    [...small, '--out', join(folder, 'file/below')],
    ['cannot be written \\(ENOTDIR\\)', 'a folder that you may write to'].map((text) => new RegExp(text)),
  )
  await refused([...small, '--out', folder], ['is not an empty folder'])
  const run = await finishedRun()
  await refused([...small, '--out', run], ['a run is there already', `bench run --resume ${run}`])
})

it.runIf(process.platform === 'linux')(
  'refuses a run folder where no folder can be made',
  { timeout: 20_000 },
  () => refused([...small, '--out', '/proc/nothing'], ['--out /proc/nothing', 'cannot be written']),
)

it('refuses to resume nothing, or with other settings than the run has', async () => {
  const run = await finishedRun()
  await refused(['--resume', join(run, 'none')], ['is not a run folder', 'bench runs'])
  await refused(
    ['--resume', run, '--tasks', 'all', '--parallel', '0'],
    ['[--tasks] does not go with --resume', '--parallel 0'],
  )
  await refused(['--resume', run, '--agent', 'solver=no-op'], ['--agent', 'does not go with --resume'])
  await refused(['--resume', run, '--baseline', 'baseline'], ['--baseline', 'does not go with --resume'])
})

it('refuses what it cannot report, show or replay', async () => {
  const run = await finishedRun()
  for (const command of ['report', 'show', 'replay'])
    await refused([command, join(run, 'none')], ['is not a run folder'])
  await refused(['report', run, '--format', 'markdwn'], ['Did you mean "markdown"?'])
  await refused(['report', run, '--baseline', 'baselin'], ['Did you mean "baseline"?'])
  await refused(['show', run, 'zzz'], ['no record of such a trial'])
  await refused(['replay', run, 'zzz'], ['no record of such a trial'])
  await refused(['replay', run, '--times', '0'], ['--times 0'])
})

it('refuses a run folder that a newer version wrote', async () => {
  const run = await finishedRun()
  const [manifest, records] = [join(run, 'run.json'), join(run, 'records.jsonl')]
  const [line = ''] = wholeLines(records)
  writeFileSync(records, `${sealedAgain(line.replace('"schemaVersion":1', '"schemaVersion":99'))}\n`)
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

it('adds nothing to a run folder that a newer version wrote', async () => {
  const run = join(tempFolder(), 'run')
  await benchOk([
    '--tasks',
    'answers',
    '--methods',
    'baseline',
    '--agents',
    'oracle',
    '--quiet',
    '--out',
    run,
  ])
  const records = join(run, 'records.jsonl')
  const [line = ''] = wholeLines(records)
  const newer = `${sealedAgain(line.replace('"schemaVersion":1', '"schemaVersion":99'))}\n`
  writeFileSync(records, newer)
  await refused(['--resume', run], ['newer bench: schemaVersion 99'])
  expect(readFileSync(records, 'utf8')).toBe(newer)
})

it('says where a records file or a run.json is broken', async () => {
  const run = await finishedRun()
  writeFileSync(join(run, 'records.jsonl'), 'nonsense\n')
  for (const args of [
    ['report', run],
    ['show', run],
    ['--resume', run],
  ])
    await refused(args, ['records.jsonl:1', 'is not a line of JSON'])
  expect((await bench(['runs', join(run, '..')])).stdout).toContain(run)
  writeFileSync(join(run, 'run.json'), '{')
  await refused(['report', run], ['run.json cannot be read'])
})
