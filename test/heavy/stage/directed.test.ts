import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { AskStep, Step } from '../../../src/schema/ledger/step.ts'
import { calls, isOrchestrator, orchestratorModel } from '../../helpers/agents/orchestrator-model.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, intentsOf, recordsOf, root, startBench, stepsOf } from '../../helpers/runs/cli.ts'
import type { LogEntry } from '../../model-server/log.ts'
import type { Answer, ModelRequest } from '../../model-server/script.ts'
import { startModelServer } from '../../model-server/server.ts'

const isAsk = (step: Step): step is AskStep => step.kind === 'ask'
const asksOf = (folder: string) => stepsOf(folder).filter(isAsk)
const deedsOf = (folder: string) =>
  stepsOf(folder).flatMap((step) => (step.kind === 'deed' ? [Object.keys(step.deed)[0]] : []))

it.each(['integrated[by=mcp]', 'integrated[by=mcp,session=true]', 'fanout[by=mcp]'])(
  'in dev mode a program stands in for the simulated orchestrator of %s, and the run replays',
  async (method) => {
    const folder = join(tempFolder(), 'run')
    await benchOk(['--tasks', 'duration-text,ferry-morning', '--methods', method, '--out', folder, '--quiet'])
    expect(recordsOf(folder)).toHaveLength(2)
    for (const record of recordsOf(folder))
      expect(record).toMatchObject({ outcome: { status: 'completed' }, fidelity: { status: 'kept' } })
    const stages = stepsOf(folder).flatMap((step) => (step.kind === 'stage' ? [step] : []))
    expect(stages.length).toBeGreaterThan(1)
    for (const { stage, exitCode, log = [] } of stages) {
      expect([stage, exitCode]).toEqual(['orchestrator', 0])
      expect(log.at(-1)).toHaveProperty('finish')
    }
    expect(await benchOk(['replay', folder])).toContain('no divergence')
  },
)

it('without the option the orchestrator is asked as ever, and trials keep their ids', async () => {
  const idsOf = async (method: string) => {
    const folder = join(tempFolder(), 'run')
    await benchOk(['--tasks', 'ferry-morning', '--methods', method, '--out', folder, '--quiet'])
    return [recordsOf(folder).map(({ trial }) => trial), stepsOf(folder).map(({ kind }) => kind)]
  }
  const [[id], kinds] = (await idsOf('integrated')) as [string[], string[]]
  const [[other]] = (await idsOf('integrated[by=mcp]')) as [string[]]
  expect(kinds).not.toContain('stage')
  expect(other).not.toBe(id)
})

/** A folder whose config file has a program that directs, and workers over HTTP, of one account that takes one call at a time. */
async function directingSetting(
  watch: (request: ModelRequest) => Answer | undefined = () => undefined,
  env = '',
) {
  const model = orchestratorModel()
  const server = await startModelServer((request) => watch(request) ?? model(request))
  onTestFinished(() => server.close())
  // Not in /tmp, which programs in a sandbox have for themselves.
  const bin = mkdtempSync('/var/tmp/directing-cli-')
  onTestFinished(() => rmSync(bin, { recursive: true, force: true }))
  chmodSync(bin, 0o755)
  copyFileSync(join(root, 'test/helpers/agents/directing-cli.mjs'), join(bin, 'directing'))
  const cwd = tempFolder()
  const shared = [
    `    baseUrl: ${server.url}/v1`,
    '    keyVariable: OWN_CLI_KEY',
    '    prices: { input: 10, output: 100 }',
  ]
  const lines = [
    'agents:',
    ...['  director:', '    provider: cli', '    model: m-1', ...shared, '    program:'],
    `      command: [${join(bin, 'directing')}, '{model}']`,
    `      env: { OWN_URL: '{baseUrl}'${env} }`,
    ...['      keyInside: OWN_KEY', '      text: $.answer'],
    ...['  worker:', '    provider: openai-compatible', '    model: m-2', ...shared],
    ...[
      'providers:',
      '  cli: { limits: { concurrent: 1 } }',
      '  openai-compatible: { limits: { concurrent: 1 } }',
    ],
  ]
  writeFileSync(join(cwd, 'bench.config.yaml'), lines.join('\n'))
  const folder = join(cwd, 'run')
  const args = argv`--mode live --tasks duration-text --methods integrated[by=mcp] --agents worker
    --agent orchestrator=director --retries 0 --quiet --out ${folder}`
  const setting = { cwd, env: { OWN_CLI_KEY: 'sk-directing-0123456789' } }
  const asked = () => server.log.filter(({ number }) => number > 0)
  return { args, setting, folder, asked }
}

const totalOf = (counts: readonly (readonly (number | null | undefined)[])[]) =>
  counts.reduce<number[]>((total, own) => total.map((part, i) => part + (own[i] ?? 0)), [0, 0])
const spentIn = (log: readonly LogEntry[]) => totalOf(log.map(({ usage }) => [usage?.input, usage?.output]))
const billOf = (folder: string) => totalOf(asksOf(folder).map(({ tokens }) => [tokens.input, tokens.output]))

needs('bwrap').it(
  'an orchestrator that is a program holds up nobody whom it asks: not with one call at a time, nor with budgets for one call',
  async () => {
    const { args, setting, folder, asked } = await directingSetting()
    // Of the orchestrator's own account, and each a program of that kind.
    const own = ['contract-writer', 'evaluator'].flatMap((role) => ['--agent', `${role}=director`])
    await benchOk([...args, ...own, '--limit', 'costUsd=100', '--max-cost', '100'], setting)
    expect(asksOf(folder).filter(({ agent }) => agent === 'director=cli:m-1')).toHaveLength(3)
    expect(recordsOf(folder)).toMatchObject([{ passed: true, claimed: 'done', fidelity: { status: 'kept' } }])
    expect(deedsOf(folder)).toEqual(['ask', 'read', 'ask', 'check', 'ask', 'finish'])
    expect(billOf(folder)).toEqual(spentIn(asked()))
    const before = asked().length
    expect(await benchOk(['replay', folder], setting)).toContain('no divergence')
    expect(asked()).toHaveLength(before)
  },
)

needs('bwrap').it(
  'a program in its sandbox that forges a request is refused, and its own edits are taken',
  async () => {
    const { args, setting, folder, asked } = await directingSetting(undefined, ", FORGE: '1', WRITE: '1'")
    await benchOk(args, setting)
    expect(recordsOf(folder)).toMatchObject([{ passed: true, claimed: 'done' }])
    expect(JSON.stringify(asked())).not.toContain('"forged"')
    const deeds = stepsOf(folder).flatMap((step) => (step.kind === 'deed' ? [step.deed] : []))
    const changed = deeds.flatMap((deed) =>
      'changes' in deed ? deed.changes.changes.map(({ path }) => path) : [],
    )
    expect(changed).toEqual(['forged.txt', 'made.txt'])
    const shown = await benchOk(['show', folder, recordsOf(folder)[0]?.trial as string, '--full'], setting)
    expect(shown).toContain('this socket is taken: only the tools of bench may ask')
  },
)

needs('bwrap').it.each([2, 3, 6, calls.length + 3])(
  'killed at request %i and resumed, an orchestrator goes on with its next call, and its bill is that of its server',
  async (place) => {
    const of = new Map<number, boolean>()
    const { args, setting, folder, asked } = await directingSetting((request) => {
      of.set(request.number, isOrchestrator(request))
      if (request.number === place) running.kill('SIGKILL')
    })
    const running = startBench(args, setting)
    expect((await running.ended).signal).toBe('SIGKILL')
    await benchOk(['run', '--resume', folder, '--quiet'], setting)
    expect(recordsOf(folder)).toMatchObject([{ passed: true, claimed: 'done' }])
    expect(deedsOf(folder)).toEqual(['ask', 'read', 'ask', 'check', 'ask', 'finish'])
    const isWorker = ({ number }: LogEntry) => of.get(number) === false
    const cut = Number(of.get(place) === false)
    expect(asked().filter(isWorker)).toHaveLength(3 + cut)
    const kept = asked().filter((one) => one.number > place || (isWorker(one) && one.number < place))
    expect(billOf(folder)).toEqual(spentIn(kept))
    // The calls whose results were lost may have been paid: the orchestrator's, and that of a worker in flight.
    expect(asksOf(folder).filter(({ maybePaid }) => maybePaid)).toHaveLength(1 + cut)
    expect(intentsOf(folder)).toHaveLength(4 + 1 + cut)
    const before = asked().length
    expect((await bench(['replay', folder], setting)).stdout).toContain('no divergence')
    expect(asked()).toHaveLength(before)
  },
)

const checkReplay = async (folder: string, setting: Parameters<typeof benchOk>[1]) =>
  expect(await benchOk(['replay', folder], setting)).toContain('no divergence')

needs('bwrap').it('an orchestrator that fails is tried again, and goes on with its next call', async () => {
  let orders = 0
  const { args, setting, folder, asked } = await directingSetting((request) =>
    isOrchestrator(request) && ++orders === 4 ? { failure: { kind: 'status', status: 500 } } : undefined,
  )
  await benchOk(
    args.map((word) => (word === '0' ? '2' : word)),
    setting,
  )
  expect(recordsOf(folder)).toMatchObject([{ passed: true, claimed: 'done', fidelity: { status: 'kept' } }])
  const asks = asksOf(folder).filter(({ role }) => role === 'orchestrator')
  expect(asks.map(({ attempt, error }) => [attempt, error?.reason])).toEqual([
    [1, 'server'],
    [2, undefined],
  ])
  const keys = stepsOf(folder).flatMap(({ kind, key }) => (kind === 'deed' ? [key.replace(/^.*#/, '')] : []))
  expect(keys).toEqual(['0.1.1', '0.1.2', '0.1.3', '0.2.1', '0.2.2', '0.2.3'])
  expect(billOf(folder)).toEqual(spentIn(asked()))
  await checkReplay(folder, setting)
})

needs('bwrap').it(
  'a limit of the trial counts what all have spent, and what was done so far is graded',
  async () => {
    const { args, setting, folder, asked } = await directingSetting()
    await benchOk([...args, '--limit', 'calls=7'], setting)
    expect(recordsOf(folder)).toMatchObject([{ outcome: { status: 'limited' }, passed: true }])
    // Whom it asks does not see what it has used so far itself, so there may be one more.
    expect(asked()).toHaveLength(8)
    expect(billOf(folder)).toEqual(spentIn(asked()))
    await checkReplay(folder, setting)
  },
)

needs('bwrap').it(
  'interrupted and resumed, a run with an orchestrator loses no call that was paid',
  async () => {
    const of = new Map<number, boolean>()
    const { args, setting, folder, asked } = await directingSetting((request) => {
      of.set(request.number, isOrchestrator(request))
      if (request.number === 2) running.kill('SIGINT')
    })
    const running = startBench(args, setting)
    await running.ended
    await benchOk(['run', '--resume', folder, '--quiet'], setting)
    expect(recordsOf(folder)).toMatchObject([{ passed: true, claimed: 'done' }])
    expect(deedsOf(folder)).toEqual(['ask', 'read', 'ask', 'check', 'ask', 'finish'])
    expect(asked().filter(({ number }) => of.get(number) === false)).toHaveLength(3)
    await checkReplay(folder, setting)
  },
)

it('beside an agent that knows the solution its stand-in runs again on replay', async () => {
  const folder = join(tempFolder(), 'run')
  const args = ['--tasks', 'duration-text', '--methods', 'integrated[by=mcp]', '--agents', 'oracle']
  await benchOk([...args, '--out', folder, '--quiet'])
  expect(recordsOf(folder)).toMatchObject([{ passed: true }])
  await checkReplay(folder, undefined)
})

needs('bwrap').it(
  'in a workflow of states the orchestrator asks others while it makes its text, and hands in the files',
  async () => {
    const steps = [
      ['ask_role', { role: 'ada', brief: 'Do it once more.' }],
      ['finish', { result: 'The best of all.' }],
    ] as const
    const { args, setting, folder, asked } = await directingSetting((request) => {
      if (!isOrchestrator(request)) return undefined
      const next = steps[request.messages.filter(({ role }) => role === 'tool').length]
      return next ? { text: '', toolCalls: [{ name: next[0], input: next[1] }] } : { text: 'Done.' }
    })
    const method = args.map((word) => (word.startsWith('integrated') ? 'fanout[by=mcp]' : word))
    await benchOk(method, setting)
    expect(recordsOf(folder)).toMatchObject([{ passed: true, claimed: 'done', fidelity: { status: 'kept' } }])
    // In the states `combine` and `final-analysis`.
    expect(deedsOf(folder)).toEqual(['ask', 'finish', 'ask', 'finish'])
    const own = asksOf(folder).filter(({ role }) => role === 'orchestrator')
    expect(own.map(({ work, reply }) => [work, reply])).toEqual([
      ['produce', 'The best of all.'],
      ['judge', 'The best of all.'],
    ])
    expect(billOf(folder)).toEqual(spentIn(asked()))
    await checkReplay(folder, setting)
  },
)
