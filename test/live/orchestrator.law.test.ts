import { expect, it } from 'vitest'
import { calls, isOrchestrator, orchestratorModel } from '../helpers/agents/orchestrator-model.ts'
import { level } from '../helpers/house/level.ts'
import { asksOf, benchOk, intentsOf, recordsOf, startBench, stepsOf } from '../helpers/runs/cli.ts'
import type { LogEntry } from '../model-server/log.ts'
import { programs } from './clients.ts'
import { type LiveSetting, liveArgs, liveSetting, patience, runLive, tokensOf } from './live-run.ts'

/** Those that can be limited to the tools of a server. */
const directing = programs.filter(({ agent }) => /^(?:claude|codex|gemini)-cli:/.test(agent))

const workers = 'openai-compatible:local-model'
const argsOf = (folder: string, agent: string) => [
  ...liveArgs(folder, workers, 'duration-text', 'integrated[by=mcp]'),
  ...['--agent', `orchestrator=${agent}`],
]

const ours = ['ask_role', 'check', 'finish', 'read']
/** What Codex offers beside: none of them reaches a shell or a file. */
const harmless = /^(?:list_mcp_resources|list_mcp_resource_templates|read_mcp_resource|request_user_input)$/

const deedsOf = (folder: string) =>
  stepsOf(folder).flatMap((step) => (step.kind === 'deed' ? [Object.keys(step.deed)[0]] : []))

const wanted = ['ask', 'read', 'ask', 'check', 'ask', 'finish']

const sum = (counts: readonly (readonly (number | null)[])[]) =>
  counts.reduce<number[]>((total, own) => total.map((part, i) => part + (own[i] ?? 0)), [0, 0])

const spentIn = (log: readonly LogEntry[]) =>
  sum(log.map(({ usage }) => [usage?.input ?? 0, usage?.output ?? 0]))

const askedIn = ({ server }: LiveSetting) => server.log.filter(({ number }) => number > 0)

it.each(directing)(
  '$agent directs the other roles by our tools, has no other, and its bill is that of its server',
  async ({ agent }) => {
    const offered = new Set<string>()
    const model = orchestratorModel()
    const setting = await liveSetting((request) => {
      if (isOrchestrator(request)) for (const name of request.tools) offered.add(name)
      return model(request)
    })
    const { folder } = setting
    // Under a limit, which counts the requests of all.
    await runLive(setting, [...argsOf(folder, agent), '--limit', 'tokens=10000000'])
    expect(recordsOf(folder)).toMatchObject([
      { passed: true, outcome: { status: 'completed' }, claimed: 'done', fidelity: { status: 'kept' } },
    ])
    expect(
      [...offered]
        .filter((name) => !harmless.test(name))
        .map((name) => name.replace(/^mcp_+bench_+/, ''))
        .sort(),
    ).toEqual(ours)
    expect(deedsOf(folder)).toEqual(wanted)
    const asks = asksOf(folder)
    expect(asks.map(({ role }) => role)).toEqual([
      'contract-writer',
      'code-generator',
      'evaluator',
      'orchestrator',
    ])
    expect(sum(asks.map(tokensOf))).toEqual(spentIn(askedIn(setting)))
    expect(asks.at(-1)?.requests).toBe(calls.length + 1)
    const before = setting.server.asked()
    expect(await benchOk(['replay', folder])).toContain('no divergence')
    expect(setting.server.asked()).toBe(before)
  },
  patience,
)

/** The places at which bench is killed: when its server gets this request, from 1. */
const all = Array.from({ length: calls.length + 4 }, (_, at) => at + 1)
const places = level([3, 6, 9], all)

it.each(places)(
  'killed at request %i and resumed, nothing is asked again that was answered, and its bill is that of its server',
  async (place) => {
    const [{ agent }] = directing as [(typeof directing)[number]]
    const model = orchestratorModel()
    const of = new Map<number, 'orchestrator' | 'worker'>()
    let isKilled = false
    const setting = await liveSetting((request) => {
      of.set(request.number, isOrchestrator(request) ? 'orchestrator' : 'worker')
      if (request.number === place) {
        isKilled = true
        running.kill('SIGKILL')
      }
      return model(request)
    })
    const { folder, env } = setting
    const running = startBench(argsOf(folder, agent), { env })
    expect((await running.ended).signal).toBe('SIGKILL')
    expect(isKilled).toBe(true)
    await runLive(setting, ['run', '--resume', folder, '--quiet'])

    expect(recordsOf(folder)).toMatchObject([{ passed: true, claimed: 'done', fidelity: { status: 'kept' } }])
    expect(deedsOf(folder)).toEqual(wanted)
    const log = askedIn(setting)
    const isWorker = ({ number }: LogEntry) => of.get(number) === 'worker'
    // What was in flight is asked again, and nothing else.
    expect(log.filter(isWorker)).toHaveLength(3 + Number(of.get(place) === 'worker'))
    const kept = log.filter((entry) => entry.number > place || (isWorker(entry) && entry.number < place))
    const asks = asksOf(folder)
    expect(sum(asks.map(tokensOf))).toEqual(spentIn(kept))
    // The calls whose results were lost may have been paid: the orchestrator's, and that of a worker in flight.
    expect(asks.filter(({ maybePaid }) => maybePaid)).toHaveLength(1 + Number(of.get(place) === 'worker'))
    const answered = asks.filter(({ maybePaid }) => !maybePaid)
    expect(answered.map(({ role }) => role)).toEqual([
      'contract-writer',
      'code-generator',
      'evaluator',
      'orchestrator',
    ])
    expect(intentsOf(folder)).toHaveLength(asks.length)
    expect(await benchOk(['replay', folder])).toContain('no divergence')
    expect(askedIn(setting)).toHaveLength(log.length)
  },
  patience,
)
