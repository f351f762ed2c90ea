import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plantedRun } from '../../helpers/agents/planted.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, refused, root, wholeLines } from '../../helpers/runs/cli.ts'

const place = mkdtempSync(join(tmpdir(), 'bench-test-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

// One run for the tests that only read, as the latest of its folder.
beforeAll(async () => {
  const args = plantedRun(place, { good: 'skill=10', middle: 'skill=6', bad: 'skill=1' })
  const out = ['--out', 'results/run', '--margin', '5']
  await execa(process.execPath, [join(root, 'dist/bench/cli.cjs'), 'run', ...args, ...out], { cwd: place })
})

/** A live run of planted methods, whole unless it is stopped. */
async function ran(methods: Record<string, string>, more: readonly string[] = [], tasks = 10) {
  const cwd = tempFolder()
  const args = plantedRun(cwd, methods, tasks)
  return { cwd, out: await bench(['run', ...args, '--out', 'run', ...more], { cwd }) }
}

const two = { good: 'skill=10', bad: 'skill=1' }

it('a live run’s table says which method is better, and the report gives details, by the plan of run.json', async () => {
  const { cwd, out } = await ran(two, ['--margin', '5', '--family', 'baseline', '--baseline', 'bad'])
  expect(out).toMatchObject({ code: 0 })
  expect(out.stdout).toContain('Who    good is better than bad by 90 points [48, 99], p .002.')
  expect(out.stdout).not.toContain('Who is on the frontier')
  const plan = JSON.parse(readFileSync(join(cwd, 'run/run.json'), 'utf8')) as object
  expect(plan).toMatchObject({ comparison: { family: 'baseline', outcome: 'success', margin: 0.05 } })
  const report = (await benchOk(['report', 'run', '--notes'], { cwd })).replace(/\s+/g, ' ')
  expect(report).toMatch(/good than bad 10 \+90\.0 \[\+\d+\.\d, \+\d+\.\d\] 0\.002 good better/)
  expect(report).toContain('Spending of the first as a multiple of the second')
  expect(report).toMatch(/each method against bad, m=1; primary outcome: success; 5 points of margin; fixed/)
})

it('JSON and CSV hold the same comparison', async () => {
  const json = JSON.parse(await benchOk(['report', 'run', '--format', 'json'], { cwd: place })) as object
  const verdict = { word: 'better', method: 'good' }
  expect(json).toMatchObject({ comparison: { family: { size: 3 }, pairs: [{}, { verdict }, {}] } })
  const csv = await benchOk(['report', 'run', '--format', 'csv', '--pairs'], { cwd: place })
  expect(csv.split('\n')[0]).toMatch(/^pair,simulated,a,b,outcome/)
  expect(csv.split('\n')[2]).toMatch(/^bad than good,false,bad,good,success,0\.95,10/)
})

it('bench compare A B uses the latest run, as one pair of the fixed family', async () => {
  const text = await benchOk(['compare', 'good', 'middle'], { cwd: place })
  expect(text).toMatch(/good than middle +10 +\+40\.0 /)
  expect(text).toContain('m=3')
  expect(text).not.toMatch(/\bbad\b/)
  await refused(['compare', 'good', 'godo'], ['Did you mean "good"'], { cwd: place })
  await refused(argv`compare good good`, ['names the same method of the same run twice', 'A/A'], {
    cwd: place,
  })
})

it('a pair outside the family has no p-value', async () => {
  const cwd = tempFolder()
  cpSync(join(place, 'results/run'), join(cwd, 'run'), { recursive: true })
  change(join(cwd, 'run'), (manifest) => {
    manifest.comparison.family = 'baseline'
    manifest.baseline = 'bad'
  })
  const text = await benchOk(['compare', 'run:good', 'run:middle'], { cwd })
  expect(text).toContain('not in the family')
  expect(text).not.toMatch(/good better|\bopen\b/)
})

it('--stop-when ends a run at the same task for any --parallel, and says what that saved', async () => {
  for (const parallel of ['1', '4']) {
    const { cwd, out } = await ran(two, ['--stop-when', 'settled', '--parallel', parallel], 14)
    expect(out).toMatchObject({ code: 0 })
    expect(out.stderr).toMatch(/settled by the plan's stop rule after [12]\d of 28 trials/)
    expect(out.stdout).toContain('good is better than bad')
    const report = (await benchOk(['report', 'run', '--notes'], { cwd })).replace(/\s+/g, ' ')
    expect(report).toMatch(/All pairs were settled after task (8|9|10);/)
    expect(report).not.toMatch(/Newcombe|mid-p|Wilson|\[\d+\.\d, |missing: \d+ not run/)
    expect(report).toMatch(/Not run, as planned: \d+ trials, about \$0\.\d/)
    const again = await bench(['run', '--resume', 'run', '--quiet'], { cwd })
    expect(again.stdout).toBe(out.stdout)
  }
})

it('bench power says how many tasks a difference needs, and what the run itself finds', async () => {
  const text = await benchOk(['power', 'run', '--difference', '20'], { cwd: place })
  expect(text).toMatch(/^ +middle than good +\d+\.\d points +\d+( \(up to \d+\))? +1 +\$[\d.]+$/m)
  expect(text).toMatch(/^Take \d+ tasks with 1 epoch: every pair then finds 20 points, about \$/m)
  expect(text).toContain('80% power, two-sided at 1.67% (5% over 3 pairs)')
  const plan = async (points: string) => {
    const json = await benchOk(['power', 'run', '--difference', points, '--json'], { cwd: place })
    return (JSON.parse(json) as { pairs: { needed: number; neededUpper: number }[] }).pairs[0]
  }
  const [ten, twenty] = [await plan('10'), await plan('20')]
  expect((ten?.needed as number) / (twenty?.needed as number)).toBeGreaterThan(3)
  expect(ten?.neededUpper as number).toBeGreaterThan(ten?.needed as number)
  expect(await benchOk(['power', 'run', '--epochs', '5'], { cwd: place })).toContain('one epoch')
  await refused(argv`power run --difference x --power 100`, ['--difference x', '--power 100'], {
    cwd: place,
  })
})

it('a simulated run gets estimates and intervals, no p-value and no verdict', async () => {
  const cwd = tempFolder()
  const args = argv`--tasks lamp-paths,ferry-morning --methods baseline,sequential --out run --quiet`
  const table = await benchOk(args, { cwd })
  const report = await benchOk(['report', 'run'], { cwd })
  for (const text of [table, report]) {
    expect(text).toMatch(/points \[95%\]/)
    expect(text).not.toMatch(/\bbetter\b(?!,)|\bopen\b|equivalent|p +Holm|detectable/i)
  }
})

it('runs with different tasks, graders or harnesses are not compared, and every difference is reported', async () => {
  const cwd = tempFolder()
  for (const name of ['run', 'copy']) cpSync(join(place, 'results/run'), join(cwd, name), { recursive: true })
  await refused(argv`compare run:good copy:good`, ['hold the same trial', 'must not be counted twice'], {
    cwd,
  })
  change(join(cwd, 'copy'), (manifest) => {
    manifest.tasks[0].digest = '0'.repeat(64)
    manifest.harness.graders = '1'.repeat(64)
    manifest.preamble = '2'.repeat(64)
  })
  await refused(
    argv`compare run:good copy:bad`,
    [
      'different versions of suite/number-0',
      'different graders',
      'different preambles',
      'Run one of them again',
    ],
    { cwd },
  )
  change(join(cwd, 'copy'), (manifest) => {
    delete manifest.harness
  })
  await refused(['compare', 'run:good', 'copy:bad'], ['does not record the version of its code'], { cwd })
})

it('one method of two runs is compared, with a note that the pair was not fixed', async () => {
  const cwd = tempFolder()
  cpSync(join(place, 'results/run'), join(cwd, 'run'), { recursive: true })
  await bench(['run', ...plantedRun(cwd, { good: 'skill=10' }), '--out', 'again'], { cwd })
  const text = (await benchOk(['compare', 'run:good', 'again:good'], { cwd })).replace(/\s+/g, ' ')
  expect(text).toContain('run:good than again:good')
  expect(text).toContain('no task separated them')
  expect(text).toContain('chosen after the runs')
  expect(text).toMatch(
    /Run run of 20\d\d-\d\d-\d\d: \d+ of \d+ trials;\s+scripted:agent\.mjs[\s\S]*Run again of 20\d\d/,
  )
})

it('trials added after a look void a run’s tests; a stop by a limit does not', async () => {
  const { cwd, out } = await ran(two, ['--max-calls', '16', '--parallel', '1'])
  expect(out).toMatchObject({ code: 3 })
  const unasked = ['16 of 20 trials have ended', 'tests for a fixed number of tasks are void', 'add --peek']
  for (const command of [
    ['report', 'run'],
    ['compare', 'run:good', 'run:bad'],
    ['power', 'run'],
  ])
    await refused(command, unasked, { cwd })
  expect(existsSync(join(cwd, 'run/looks.jsonl'))).toBe(false)
  const first = await bench(['report', 'run', '--peek'], { cwd })
  expect(first.stdout).toMatch(/good better/)
  expect(first.stdout).toContain('A limit of the run stopped it after 16 of 20 trials')
  expect(first.stderr).toContain('this interim look at 16 of 20 trials is recorded')
  expect(wholeLines(join(cwd, 'run/looks.jsonl'))).toHaveLength(1)
  const rest = await bench(['run', '--resume', 'run', '--max-calls', 'none', '--quiet'], { cwd })
  expect(rest).toMatchObject({ code: 0 })
  expect(rest.stdout).not.toMatch(/good (?:is )?better|\[\+/)
  const report = await benchOk(['report', 'run'], { cwd })
  expect(report).toContain('void: looked')
  expect(report).toContain('looks at 16 records')
})

/** Changes run.json and leaves out its sum, as older runs have none. */
// biome-ignore lint/suspicious/noExplicitAny: the file is broken on purpose
function change(folder: string, edit: (manifest: any) => void): void {
  const path = join(folder, 'run.json')
  const { sum: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
  edit(manifest)
  writeFileSync(path, JSON.stringify(manifest))
}

it('a program that reads the comparison of a run that is not whole looks at it, as a person does', async () => {
  const cwd = tempFolder()
  plantedRun(cwd, two)
  const script = `
    import { run } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
    const methods = ['good=./planted.mjs[skill=10]', 'bad=./planted.mjs[skill=1]']
    const request = { mode: 'live', agents: 'scripted:agent.mjs', tasks: 'native:suite', methods, allowUnsandboxed: true }
    const part = await run({ ...request, out: 'run', parallel: 1, runLimits: { calls: 12 } })
    if (process.argv[2] === 'peek') part.comparison?.pairs
    const whole = await run({ resume: 'run', runLimits: { calls: null } })
    console.log(JSON.stringify(whole.comparison.pairs[0].verdict))`
  writeFileSync(join(cwd, 'peek.mjs'), script)
  const verdictAfter = async (...args: string[]) => {
    rmSync(join(cwd, 'run'), { recursive: true, force: true })
    return (await execa(process.execPath, ['peek.mjs', ...args], { cwd })).stdout
  }
  expect(await verdictAfter()).toContain('"better"')
  expect(await verdictAfter('peek')).toBe('null')
  expect(wholeLines(join(cwd, 'run/looks.jsonl'))).toHaveLength(1)
  expect(await benchOk(['report', 'run'], { cwd })).toContain('looks at 12 records')
})
