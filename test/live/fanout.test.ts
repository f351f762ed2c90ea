import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { AskStep } from '../../src/schema/ledger/step.ts'
import { MachineRecord } from '../../src/schema/machine/machine-record.ts'
import { benchOk, recordsOf, root } from '../helpers/runs/cli.ts'
import { programs } from './clients.ts'
import { fanoutModel, filing, type Lines, liveWorkflow } from './fanout-model.ts'
import { asksOf, type LiveSetting, liveSetting, patience, runLive } from './live-run.ts'

const [claude, codex] = programs
const remote = (name: string) => `"${name}=openai-compatible:${name}"`
const path = 'src/parse-duration.mjs'
const code = readFileSync(join(root, `tasks/code/duration-text/solution/${path}`), 'utf8')
const post = readFileSync(join(root, 'tasks/writing/night-bread/solution/answer.txt'), 'utf8')

/** Runs a workflow alone on a task, and gives what its record and ledger say. */
async function runs(setting: LiveSetting, workflow: string, task: string) {
  const { folder } = setting
  await runLive(setting, [
    ...['--mode', 'live', '--tasks', task, '--methods', `fanout:${workflow}`],
    ...['--retries', '0', '--quiet', '--out', folder],
  ])
  const [record] = recordsOf(folder)
  const machine = MachineRecord.parse(record?.state?.machine)
  return {
    record,
    machine,
    asks: asksOf(folder),
    path: machine.visits.map(({ state, result }) => (result === null ? state : `${state}: ${result}`)),
  }
}

const continuedOf = (asks: readonly AskStep[], role: string) =>
  asks.filter((ask) => ask.role === role).map(({ continued }) => continued)

it(
  'fanout:code goes on without an agent whose server is down: programs resume their sessions in each branch, and no prompt names it',
  async () => {
    const makes: Lines[string] = (request) => {
      if (request.model === 'cleo') return { failure: { kind: 'status', status: 500 } }
      const shell = request.model === 'ben' ? false : claude.shell
      return filing(request, path, code, shell)
    }
    const model = fanoutModel({
      Maker: makes,
      Reviewer: ({ model }) => (model === 'cleo' ? { failure: { kind: 'status', status: 500 } } : undefined),
      Combiner: (request) => filing(request, path, code, codex.shell),
    })
    const setting = await liveSetting(model)
    const workflow = liveWorkflow('code', [
      [/^ {2}persona: orchestrator$/m, `  persona: orchestrator\n  agent: ${codex.agent}`],
      [
        /^agents: .*$/m,
        `agents: { ada: { agent: "${claude.agent}", session: true }, ben: { agent: ${remote('ben')} }, cleo: { agent: ${remote('cleo')} } }`,
      ],
      [/retry_count: 1/, 'retry_count: 0'],
    ])
    const { record, machine, asks, path: states } = await runs(setting, workflow, 'duration-text')
    expect(states).toEqual([
      'start: next',
      'solve: partial_success',
      'cross-review: partial_success',
      'combine: success',
      'final-review: partial_success',
      'final-analysis: success',
      'complete',
    ])
    expect(record).toMatchObject({ claimed: 'done', passed: true, fidelity: { status: 'kept' } })
    expect(machine.delivered).toBe('final/solution.md')
    expect(continuedOf(asks, 'ada')).toEqual([undefined, 'resumed', 'resumed'])
    expect(continuedOf(asks, 'orchestrator')).toEqual([undefined, 'resumed'])
    expect(asks.flatMap(({ role, error }) => (error ? [`${role}: ${error.reason}`] : []))).toEqual(
      Array(3).fill('cleo: server'),
    )
    for (const { body } of setting.server.log)
      expect(JSON.stringify({ ...(body as object), model: '' })).not.toMatch(/cleo/i)
    await benchOk(['replay', setting.folder])
  },
  patience,
)
