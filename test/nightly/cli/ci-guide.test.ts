import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { XMLParser } from 'fast-xml-parser'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { parse } from 'yaml'
import { strategy } from '../../cli/ci-scenario.ts'
import { plantedRun } from '../../helpers/agents/planted.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, program, refused, root } from '../../helpers/runs/cli.ts'

/** A project as the guide has it: tasks, a strategy of its own, and a recorded run of another folder. Each test has a copy. */
const recorded = mkdtempSync(join(tmpdir(), 'bench-test-'))
afterAll(() => rmSync(recorded, { recursive: true, force: true }))
beforeAll(async () => {
  plantedRun(recorded, {}, 3)
  mkdirSync(join(recorded, 'tasks'))
  cpSync(join(recorded, 'suite'), join(recorded, 'tasks'), { recursive: true })
  writeFileSync(join(recorded, 'review.mjs'), strategy)
  const profile = guided(/```sh\n(sed .*?)```/s).replace('node_modules/orchestration-bench', root)
  await execa('sh', ['-ec', profile], { cwd: recorded })
  const args = ['--tasks', 'native:tasks', '--methods', 'baseline,./review.mjs', '--allow-unsandboxed']
  const live = ['--mode', 'live', '--agents', 'scripted:agent.mjs', '--out', 'recorded/run', '--quiet']
  const env = { ORCHESTRATION_BENCH_CACHE: inject('cache') }
  await execa(process.execPath, [program, 'run', ...args, ...live], { cwd: recorded, env })
})

async function project(): Promise<string> {
  const checkout = tempFolder()
  cpSync(recorded, checkout, { recursive: true })
  await execa('git', ['init', '-q'], { cwd: checkout })
  await execa('git', ['add', '-A'], { cwd: checkout })
  return checkout
}

/** Returns a code block of the guide. */
const guided = (pattern: RegExp) =>
  pattern.exec(readFileSync(join(root, 'docs/guides/ci.md'), 'utf8'))?.[1] ?? ''

/** What the guide's workflow runs, as the shell of a CI step would; `changed` by whoever has other tasks. */
async function step(name: string, cwd: string, changed = (command: string) => command) {
  const { jobs } = parse(guided(/```yaml\n(name: bench\n.*?)```/s)) as {
    jobs: { bench: { steps: { name?: string; run?: string }[] } }
  }
  const { run = '' } = jobs.bench.steps.find((step) => step.name === name) ?? {}
  expect(run).toContain('npx bench')
  const command = changed(run).replaceAll('npx bench', `'${process.execPath}' '${program}'`)
  const env = { ORCHESTRATION_BENCH_CACHE: inject('cache') }
  const { exitCode, stdout, stderr } = await execa('sh', ['-ec', command], { cwd, env, reject: false })
  return { code: exitCode, stdout, stderr }
}

function edit(cwd: string, from: string, to: string): void {
  const file = join(cwd, 'review.mjs')
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

const asks = [
  `const answer = await ask('writer', 'Do the task.')`,
  `await ask('reviewer', 'Is it right?')`,
] as const

it('the two steps of the guide pass in an unchanged checkout', async () => {
  const cwd = await project()
  expect(await step('Structure', cwd)).toMatchObject({ code: 0 })
  const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(
    readFileSync(join(cwd, 'results/junit.xml'), 'utf8'),
  )
  expect(testsuites.testsuite).toMatchObject({ '@_tests': '12', '@_errors': '0' })
  const replayed = await step('Prompts and order', cwd)
  expect(replayed).toMatchObject({ code: 0 })
  expect(replayed.stdout).toContain('6 trials replayed from the journal: no divergence')
})

it('the profile of the guide has no failing calls and no unparsable replies, so the dev run never fails by chance', async () => {
  const cwd = await project()
  edit(cwd, asks[1], `await ask('reviewer', 'Is it right?', { shape: z.object({ approved: z.boolean() }) })`)
  const other = (command: string) =>
    command.replace('native:tasks', 'answers').replace('--epochs 2', '--epochs 4 --seed 1')
  expect(await step('Structure', cwd, other)).toMatchObject({ code: 0 })
  const byDefault = (command: string) =>
    other(command).replace('--profile ./structure.yaml', '').replace('results/dev', 'results/default')
  const failed = await step('Structure', cwd, byDefault)
  expect(failed).toMatchObject({ code: 1 })
  expect(failed.stderr).toContain('--fail-if holds: *.failed>0 (it is 1 for review)')
  expect(failed.stderr).toMatch(/--fail-if holds: review\.calls>2 \(it is 2\.\d+ for review\)/)
})

it('the replay fails if a prompt or the order of asks has changed, and prints both versions', async () => {
  const changed = await project()
  edit(changed, 'Do the task.', 'Do the task well.')
  const prompt = await step('Prompts and order', changed)
  expect(prompt).toMatchObject({ code: 1 })
  expect(prompt.stdout.match(/the request differs/g)).toHaveLength(3)
  expect(prompt.stdout).toMatch(/Do the task\.[\s\S]*Do the task well\./)

  const reordered = await project()
  edit(reordered, asks[1], '')
  edit(reordered, asks[0], `${asks[1]}\n    ${asks[0]}`)
  const order = await step('Prompts and order', reordered)
  expect(order).toMatchObject({ code: 1 })
  expect(order.stdout).toMatch(/reviewer/)
})

it('the dev run fails if a method makes calls that its conditions forbid, or throws', async () => {
  const more = await project()
  edit(more, asks[1], `${asks[1]}\n    ${asks[1]}`)
  const calls = await step('Structure', more)
  expect(calls).toMatchObject({ code: 1 })
  expect(calls.stderr).toContain('--fail-if holds: review.calls>2 (it is 3 for review)')

  const broken = await project()
  edit(broken, asks[1], `throw new Error('no reviewer')`)
  const failed = await step('Structure', broken)
  expect(failed).toMatchObject({ code: 1 })
  expect(failed.stderr).toContain('--fail-if holds: *.failed>0 (it is 6 for review)')
})

it('bench run adds the tables and the failed conditions to the step summary, and annotates them on GitHub', async () => {
  const cwd = tempFolder()
  const run = ['run', '--tasks', 'lamp-paths', '--methods', 'baseline', '--agents', 'no-op', '--quiet']
  const gate = ['--fail-if', 'success(baseline) < 0.5', '--out', 'run']
  writeFileSync(join(cwd, 'summary.md'), 'Before.\n')
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') }
  const ended = await bench([...run, ...gate], { cwd, env })
  expect(ended).toMatchObject({ code: 1 })
  expect(ended.stderr).toMatch(
    /^::error title=bench --fail-if::success\(baseline\) < 0\.5 \(it is 0 for baseline\)$/m,
  )
  const text = readFileSync(join(cwd, 'summary.md'), 'utf8')
  expect(text).toMatch(/^Before\.\n- \*\*failed\*\*: success\(baseline\)[\s\S]*\| baseline \|/)
  const plain = await bench(argv`${run} --out again --step-summary own.md`, {
    cwd,
    env: { GITHUB_ACTIONS: undefined, GITHUB_STEP_SUMMARY: undefined },
  })
  expect(plain.stderr).not.toContain('::error')
  expect(readFileSync(join(cwd, 'own.md'), 'utf8')).toContain('| baseline |')
})

it('bench report writes the JUnit file of an existing run, and bench run refuses a path that cannot be written', async () => {
  const cwd = tempFolder()
  const run = ['run', '--tasks', 'lamp-paths', '--methods', 'baseline', '--agents', 'no-op', '--quiet']
  expect(await bench([...run, '--out', 'run'], { cwd })).toMatchObject({ code: 0 })
  expect(await bench(['report', 'run', '--junit', 'made/junit.xml'], { cwd })).toMatchObject({ code: 0 })
  expect(readFileSync(join(cwd, 'made/junit.xml'), 'utf8')).toContain('<failure message=')
  await refused(argv`${run} --out next --junit run/run.json/x.xml`, ['--junit', 'cannot be written'], { cwd })
  await refused(['report', 'run', 'run', '--junit', 'two.xml'], ['--junit two.xml', 'one by one'], { cwd })
})
