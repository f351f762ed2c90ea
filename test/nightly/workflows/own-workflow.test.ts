import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { MachineRecord } from '../../../src/schema/machine/machine-record.ts'
import { machineParts, machineText, personaFiles } from '../../helpers/fanout/machines.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, recordsOf, root } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const guide = readFileSync(join(root, 'docs/guides/states.md'), 'utf8')
const files = [...guide.matchAll(/^`(flow\/[\w.]+)`[^\n]*:\n\n```\w+\n([\s\S]*?)```/gm)]
const approval = /```yaml\n( {2}read:\n[\s\S]*?)```/.exec(guide)?.[1] ?? ''
const commands = [...guide.matchAll(/```sh\n(bench (?!step)[\s\S]*?)```/g)].flatMap(([, text = '']) =>
  text.trim().split('\n'),
)

/** Divides a command into its words, as a shell does. */
const wordsOf = (command: string) =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].slice(1).map(([, quoted, plain]) => quoted ?? plain ?? '')

const machinesOf = (run: string) =>
  recordsOf(run).flatMap(({ state }) => (state?.machine ? [MachineRecord.parse(state.machine)] : []))

it('the guide’s workflow runs by the guide’s commands, up to real agents and a person', async () => {
  const server = await startModelServer([{ text: '{"decision":"proceed","quality_score":8}', always: true }])
  onTestFinished(() => server.close())
  const cwd = tempFolder()
  mkdirSync(join(cwd, 'flow'))
  for (const [, path = '', text = ''] of files) writeFileSync(join(cwd, path), text)
  expect(files).toHaveLength(5)
  const env = { OPENAI_COMPATIBLE_BASE_URL: server.url }
  const said: string[] = []
  for (const command of commands) {
    if (command.includes('--out read')) addApproval(join(cwd, 'flow/tale.yaml'))
    const trial = command.includes('TRIAL') ? waitingTrial(join(cwd, 'read')) : ''
    const args = wordsOf(command).map((word) => (word === 'TRIAL' ? trial : word))
    if (args.includes('live')) args.push('--sandbox', 'none', '--yes')
    const { code, stdout, stderr } = await bench(args, { cwd, env })
    const waits =
      command.includes('park') || (command.includes('--resume') && said.at(-1)?.includes('Begin with'))
    expect([command, code, code === (waits ? 4 : 0) ? '' : stderr]).toEqual([command, waits ? 4 : 0, ''])
    said.push(`${command}\n${stdout}`)
  }
  expect(commands.length).toBeGreaterThan(12)
  expect(said.join('\n')).toContain('no mistakes')
  expect(said.join('\n')).toContain('no divergence')
  expect(server.asked()).toBeGreaterThan(0)
  expect(machinesOf(join(cwd, 'tale'))).toHaveLength(3)
  expect(machinesOf(join(cwd, 'read'))).toMatchObject([
    { ended: 'done', approvals: [{ decision: 'feedback' }, { decision: 'approved' }] },
  ])
}, 120_000)

function addApproval(path: string): void {
  const text = readFileSync(path, 'utf8').replace('{ success: done, failure', '{ success: read, failure')
  writeFileSync(path, text.replace('  done:', `${approval}  done:`))
}

function waitingTrial(run: string): string {
  const [first = '{}'] = readFileSync(join(run, 'people.jsonl'), 'utf8').split('\n')
  return (JSON.parse(first) as { trial: string }).trial
}

it('fanout and its gates run on the writing tasks, and fanout on all others, as declared', async () => {
  const run = join(tempFolder(), 'run')
  const methods = 'fanout,fanout:post,fanout:post-gates,baseline'
  await benchOk(['--tasks', 'writing,answers,money-split', '--methods', methods, '--quiet', '--out', run])
  const records = recordsOf(run).filter(({ method }) => method.startsWith('fanout'))
  expect(records).toHaveLength(3 * 12)
  for (const { method, task, fidelity, outcome } of records)
    expect([method, task, fidelity, outcome.status]).toEqual([method, task, { status: 'kept' }, 'completed'])
  await benchOk(['replay', run])
})

it('one agent’s failures leave a workflow its partial successes, and the record says so', async () => {
  const run = join(tempFolder(), 'run')
  const plan = ['--tasks', 'writing', '--methods', 'fanout:post', '--inject', 'ben:exit=1', '--quiet']
  await benchOk([...plan, '--out', run])
  for (const { visits, delivered } of machinesOf(run)) {
    const fanOuts = visits.filter(({ type }) => type === 'fan-out')
    expect(fanOuts.length).toBeGreaterThan(2)
    for (const { result, runs } of fanOuts) {
      expect(result).toBe('partial_success')
      expect(runs.find(({ agent }) => agent === 'ben')).toMatchObject({ status: 'failed' })
    }
    expect(delivered).toBe('final/post.md')
  }
})

it('the published run has a retry with guidance, a forced end and a halt, and replays', async () => {
  const run = join(root, 'results/published/fanout/run')
  const machines = machinesOf(run)
  const has = (holds: (machine: MachineRecord) => boolean) => machines.filter(holds).length
  expect(machines).toHaveLength(3)
  const isTold = ({ from, visit, text }: MachineRecord['guidance'][number]) =>
    from === 'gate' && visit === 2 && text !== ''
  expect(has(({ ended, guidance }) => ended === 'complete' && guidance.some(isTold))).toBe(1)
  const forced = ({ breaks, decisions }: MachineRecord) =>
    breaks.some(({ rule }) => rule === 'state_visits') &&
    decisions.some(({ decision }) => decision === 'force_complete')
  expect(has(forced)).toBe(1)
  expect(
    has(({ ended, gates }) => ended === 'halt' && gates.some(({ decision }) => decision === 'halt')),
  ).toBe(1)
  expect(await bench(['replay', run, '--trust-code'], { cwd: root })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no divergence'),
  })
})

it('agents, states and personas of a workflow may have names that objects have, too', async () => {
  const cwd = tempFolder()
  const text = machineText({
    states: 'states:',
    approve: '',
    complete: '  toString: { type: terminal }',
    combine: machineParts.combine.replace('success: approve', 'success: toString'),
  })
  mkdirSync(join(cwd, 'personas'))
  for (const [path, content] of Object.entries(personaFiles)) writeFileSync(join(cwd, path), content)
  writeFileSync(
    join(cwd, 'odd.yaml'),
    text
      .replaceAll('ada', 'constructor')
      .replace(/\bcheck:/g, 'valueOf:')
      .replaceAll(': check', ': valueOf'),
  )
  const args = ['--tasks', 'night-bread', '--methods', 'fanout:odd.yaml,baseline', '--out', 'odd', '--quiet']
  await benchOk([...args, '--inject', 'ben:exit=1', '--fail-if', '*.errors>0'], { cwd })
  const [odd] = machinesOf(join(cwd, 'odd'))
  expect(odd?.visits.flatMap(({ runs }) => runs.map(({ agent, status }) => `${agent} ${status}`))).toContain(
    'constructor done',
  )
})

describe('packed doubles', async () => {
  // A project of a user's: nothing but the packed package, what it depends on, and the guide's examples.
  const project = mkdtempSync(join(tmpdir(), 'bench-project-'))
  afterAll(() => rmSync(project, { recursive: true, force: true }))
  const guide = readFileSync(join(root, 'docs/guides/test-a-strategy.md'), 'utf8')
  const examples = [...guide.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code)
  const bench = () => join(project, 'node_modules/orchestration-bench/dist/bench/cli.cjs')
  const env = () => ({ ORCHESTRATION_BENCH_CACHE: inject('cache') })

  beforeAll(async () => {
    // A bare machine has no tar, so npm only lists what it would pack.
    const listed = ['pack', root, '--ignore-scripts', '--dry-run', '--json']
    const { stdout } = await execa('npm', listed, { cwd: project })
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }]
    const modules = join(project, 'node_modules')
    for (const { path } of files) cpSync(join(root, path), join(modules, 'orchestration-bench', path))
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const name of [...Object.keys(dependencies), '@types/node']) {
      mkdirSync(join(modules, name, '..'), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
    }
    cpSync(join(root, 'fixtures/strategies/my-strategy.ts'), join(project, 'my-strategy.mjs'))
    for (const [at, code] of examples.entries()) {
      const [, name = `example-${at + 1}.test.mjs`] = /^\/\/ (\S+)\n/.exec(code) ?? []
      writeFileSync(join(project, name), code)
    }
  })

  it('every example of the guide runs in a project that has only the packed package', async () => {
    const { stdout } = await execa(process.execPath, ['--test', '--test-reporter=tap'], {
      cwd: project,
      env: env(),
    })
    expect(stdout).toMatch(/^# tests 5$/m)
    expect(stdout).toMatch(/^# pass 5$/m)
  })

  it('the command of the guide asks the double of a module', async () => {
    const [, command = ''] = /```sh\nbench (.*)\n```/.exec(guide) ?? []
    const { stdout, stderr } = await execa(
      process.execPath,
      [bench(), ...command.split(' '), '--out', 'run'],
      {
        cwd: project,
        env: env(),
      },
    )
    expect(`${stdout}${stderr}`).not.toContain('ended in error')
    const steps = readFileSync(join(project, 'run/steps.jsonl'), 'utf8')
    expect(steps).toContain('"reply":"Answer: 11"')
    expect(steps).not.toContain('"reply":"Answer: 12"')
  })

  it('a double that times out moves the clock of a trial, and nobody waits', async () => {
    const double =
      "import { timingOut } from 'orchestration-bench/testing'\nexport default timingOut(7_200_000)\n"
    writeFileSync(join(project, 'late.mjs'), double)
    const options = argv`--tasks lamp-paths --methods baseline --agents scripted:late.mjs --out late`
    await execa(process.execPath, [bench(), ...options], { cwd: project, env: env() })
    const record = JSON.parse(readFileSync(join(project, 'late/records.jsonl'), 'utf8'))
    expect(record).toMatchObject({ outcome: { status: 'limited' }, durationMs: 7_200_000 })
  })

  it('the types of the export hold a test in TypeScript', async () => {
    const code = `import { play, scriptedAgent, type Script } from 'orchestration-bench/testing'
import { defineStrategy, z } from 'orchestration-bench'
const strategy = defineStrategy({
  name: 'one', summary: 'One.', roles: { writer: 'produce' }, options: z.strictObject({}),
  run: async ({ ask }) => ({ answer: await ask('writer', 'Go.'), stopReason: 'done' }),
})
const script: Script<'writer'> = { writer: scriptedAgent(['x']) }
const { answer } = await play(strategy, {}, script)
export const text: string | undefined = answer
// @ts-expect-error: the strategy has no such role.
await play(strategy, {}, [['reader', 'x']])
`
    writeFileSync(join(project, 'typed.mts'), code)
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node']
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { exitCode, stdout } = await execa(process.execPath, [tsc, ...options, 'typed.mts'], {
      cwd: project,
      reject: false,
    })
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' })
  })
})
