import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MachineRecord } from '../../../src/schema/machine/machine-record.ts'
import { machineParts, machineText, personaFiles } from '../../helpers/fanout/machines.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, recordsOf, root } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const guide = readFileSync(join(root, 'docs/guides/fanout.md'), 'utf8')
const files = [...guide.matchAll(/^`(flow\/[\w.]+)`[^\n]*:\n\n```\w+\n([\s\S]*?)```/gm)]
const approval = /```yaml\n( {2}read:\n[\s\S]*?)```/.exec(guide)?.[1] ?? ''
const commands = [...guide.matchAll(/```\n(bench [\s\S]*?)```/g)].flatMap(([, text = '']) =>
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
  expect(await bench(['replay', run], { cwd: root })).toMatchObject({
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
