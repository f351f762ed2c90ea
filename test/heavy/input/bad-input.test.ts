import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, recordsOf, refused, root, shareProcess } from '../../helpers/runs/cli.ts'

shareProcess()

const small = ['--tasks', 'ferry-morning', '--methods', 'baseline']

it('bench names an unknown task, method or agent, and suggests the nearest name', async () => {
  await refused(
    argv`--tasks ferry-mornin,humanevl:x.jsonl,none-*,al --methods baselin,sequential[maxInnr=3],./none.mjs
      --agents simulatd --profile defalt`,
    [
      ...['"ferry-mornin"', 'Did you mean "ferry-morning"?', '"humanevl"', 'Did you mean "humaneval"?'],
      ...['none-\\*\\] matches no task', 'Did you mean "all"?', '"baselin"', 'Did you mean "baseline"?'],
      ...['"maxInnr"', 'Did you mean "maxInner"?', 'there is no such file', '"simulatd"'],
      ...['Did you mean "simulated"?', 'defalt'],
    ].map((text) => new RegExp(text.replace(/[?]$/, '\\?'))),
  )
  await refused([...small, '--agents', 'scripted:no.mjs'], ['there is no file no.mjs'])
  await refused(['methods', 'sequentia'], ['Did you mean "sequential"?'])
  await refused(['methods', 'sequential[maxInner=3]'], ['Leave out the brackets: bench methods sequential.'])
  await refused(['methods', 'collaboration:./a.yaml'], ['./a.yaml', 'there is no such file'])
  await refused(['methods', './mine.ts[drafts=1]'], ['Leave out the brackets: bench methods ./mine.ts.'])
  await refused(argv`tasks ferry`, [
    '"ferry"',
    /Known: all, answers, code, .* … and \d+ more\. See bench tasks/,
  ])
  await refused(['runs', 'nowhere'], ['[nowhere] does not exist'])
})

it('bench names unknown flags and commands, and suggests the nearest', async () => {
  await refused(argv`${small} --paralel 3`, [
    '[--paralel] is not an option of bench run',
    'Did you mean --parallel?',
  ])
  await refused(['reprot', 'x'], ['reprot', /did you mean .*report/i])
  await refused(['--tasks'], ['[--tasks <list>] needs a value', 'See bench run --help.'])
  await refused(['report'], ['[bench report] needs <runs>', 'See bench report --help.'])
  await refused(['gate', 'x'], ['[bench gate] needs --policy <file>', 'See bench gate --help.'])
  await refused(['run', '--nix'], ['[--nix] is not an option of bench run', 'See bench run --help.'])
  await refused(['doctor', 'extra'], ['[extra] is more than bench doctor takes', 'See bench doctor --help.'])
  await refused([...small, '--seed', '1', '--seed', '2'], ['[--seed <n>] is given twice, as 1 and as 2'])
})

it('bench reports the problems of all flags together and leaves no files', async () => {
  const out = join(tempFolder(), 'run')
  const args = argv`--tasks ferry-mornin,none-* --methods baselin,sequential[maxInnr=3,maxOuter=no]
    --seed -1 --agents simulatd --parallel 0 --epochs x --limit calls=0,foo=3 --approve no --mode lve
    --baseline foo --fail-if bar --out ${out}`
  const { stderr } = await refused(args, [
    ...argv`"ferry-mornin" none-\\* "baselin" "maxInnr" maxOuter ${'--seed -1'} ${'--parallel 0'}
      ${'--epochs x'}`.map((text) => new RegExp(text)),
    ...['"calls"', '"foo"', '--approve no', '--mode lve', '--baseline foo', '--fail-if bar', '"simulatd"'],
  ])
  for (const line of stderr.split('\n')) expect(line).toMatch(/^bench: \[.+\] .+/)
  expect(existsSync(out)).toBe(false)
})

it('a run that cannot begin leaves no run folder', async () => {
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

it('bench run requires tasks and methods, and in live mode an agent for each role', async () => {
  await refused(['run'], ['[--tasks] is missing', '[--methods] is missing'])
  await refused(['--methods', 'baseline'], ['[--tasks] is missing'])
  await refused([...small, '--mode', 'live'], ['role "solver" has no agent', '--agent solver=PROVIDER:MODEL'])
  await refused([...small, '--mode', 'live', '--dev', '--agents', 'oracle'], ['--dev', '--mode live'])
  await refused(['--tasks', ',', '--methods', ','], ['does not name a task', 'names no method'])
  await refused(['--workspace', '.', '--methods', 'baseline'], ['--instruction'])
  await refused([...small, '--instruction', 'none.md'], ['conflicts with --instruction', 'cannot be read'])
})

it('an invalid number is refused with the numbers that are allowed', async () => {
  const wrong = [
    ['--parallel', '1.5', 'is not a whole number of at least 1'],
    ['--epochs', 'x', 'is not a whole number of at least 1'],
    ['--seed', '-1', 'must be at least 0'],
  ] as const
  await refused(
    [...small, ...wrong.flatMap((one) => one.slice(0, 2))],
    wrong.flatMap(([flag, value, what]) => [`[${flag} ${value}] ${what}`, `Write for example ${flag} `]),
  )
  await refused(['--tasks', '0', '--methods', 'baseline'], ['selects no task'])
  for (const slice of ['-1', 'abc', '1-2-3'])
    await refused(argv`--tasks native:${join(root, 'tasks/answers')}:${slice} --methods baseline`, [
      `"${slice}" is not a slice of`,
      '20 is the first 20',
    ])
})

it('two methods with one label are refused with a hint how to label them', async () => {
  await refused(argv`--tasks 1 --methods baseline,baseline`, [
    'the label "baseline" is used twice',
    'A=baseline,B=baseline',
  ])
  await refused(['--tasks', '1', '--methods', 'A=baseline,A=sequential'], ['the label "A" is used twice'])
})

it('--fail-if is parsed before anything runs', async () => {
  const wrong = ['baseline', 'baseline.sucess<1', 'sequential.success<1']
  await refused(
    [...small, ...wrong.flatMap((gate) => ['--fail-if', gate])],
    [
      ...['is not METHOD.metric<number', 'sequential.success<0.8', 'there is no metric "sucess"'],
      ...['success, score, tokens', '"sequential"'],
    ],
  )
})

it('a broken task is reported with file, line and field of every problem', async () => {
  const suite = tempFolder()
  mkdirSync(join(suite, 'broken'))
  const file = join(suite, 'broken/task.yaml')
  writeFileSync(file, 'id: broken\nversion: one\ntitel: Broken\ngraders:\n  - kind: exakt\n')
  const { stderr } = await refused(argv`--tasks native:${suite} --methods baselin --epochs 0`, [
    '--epochs 0',
    '"baselin"',
  ])
  expect(stderr).toContain(`[${join(suite, 'broken/instruction.md')}] is missing`)
  expect(stderr).toContain(`[${file}:2 version] must be a number`)
  expect(stderr).toContain(`[${file}:3 titel] is not a known field. Did you mean title?`)
  expect(stderr).toContain(`[${file}:5 graders.0.kind] "exakt" is not a known kind. Did you mean exact?`)
  for (const field of ['title', 'output']) expect(stderr).toMatch(new RegExp(`${field}\\] is missing`))
})

/** Runs with agents that cost no processes, and gives the run folder. */
async function run(...args: string[]): Promise<string> {
  const folder = join(tempFolder(), 'run')
  await benchOk([...args, '--agents', 'oracle', '--out', folder])
  return folder
}
const tasksOf = (folder: string) => [...new Set(recordsOf(folder).map(({ task }) => task))].sort()
const methodsOf = (folder: string) => [...new Set(recordsOf(folder).map(({ method }) => method))].sort()

it('--tasks selects by name, glob, suite, and a seeded number that takes from each suite', async () => {
  const refs = async (selection: string) =>
    (JSON.parse(await benchOk(['tasks', selection, '--json'])) as { ref: string; suite: string }[]).map(
      ({ ref }) => ref,
    )
  const all = await refs('all')
  expect(all.length).toBeGreaterThanOrEqual(16)
  expect(await refs('answers')).toEqual(all.filter((ref) => ref.startsWith('answers/')))
  expect(await refs('money-*,answers/lamp-paths')).toEqual(['code/money-split', 'answers/lamp-paths'])
  const sample = await refs('5')
  expect(sample).toHaveLength(5)
  expect(new Set(sample.map((ref) => ref.split('/')[0])).size).toBeGreaterThanOrEqual(2)
  expect(await refs('5')).toEqual(sample)

  const one = await run('--tasks', '1', '--methods', 'baseline', '--seed', '4')
  expect(recordsOf(one)).toHaveLength(1)
  expect(tasksOf(await run('--tasks', '1', '--methods', 'baseline', '--seed', '4'))).toEqual(tasksOf(one))
})

it('--methods takes labels, options, aliases, and files', async () => {
  const file = join(root, 'fixtures/strategies/my-strategy.ts')
  const methods = `A=baseline,B=baseline,adc-sequential,sequential[maxInner=5],${file}[drafts=1],mine=${file}`
  const folder = await run(
    '--tasks',
    'lamp-paths',
    '--methods',
    methods,
    '--dev',
    '--epochs',
    '2',
    '--baseline',
    'B',
  )
  expect(methodsOf(folder)).toEqual([
    'A',
    'B',
    'draft-and-review[drafts=1]',
    'mine',
    'sequential',
    'sequential[maxInner=5]',
  ])
  expect(recordsOf(folder)).toHaveLength(6 * 2)
  for (const { method, passed } of recordsOf(folder))
    if (method === 'A' || method === 'B') expect(passed).toBe(true)
  const manifest = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as {
    methods: { options: object }[]
    baseline: string
  }
  expect(manifest.methods.map(({ options }) => options)).toContainEqual({ drafts: 1 })
  expect(manifest.methods.map(({ options }) => options)).toContainEqual(
    expect.objectContaining({ maxInner: 5 }),
  )
  expect(manifest.baseline).toBe('B')
  // The run folder is enough to find a strategy file again.
  await benchOk(['replay', folder])
})
