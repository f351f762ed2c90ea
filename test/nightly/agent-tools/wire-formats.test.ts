import { expect, it } from 'vitest'
import { type Random, seededRandom } from '../../../src/base/random.ts'
import type { AskStep, Step } from '../../../src/schema/ledger/step.ts'
import { comparePlaces } from '../../../src/schema/ledger/turn-key.ts'
import { sentEvents } from '../../helpers/agents/sent-events.ts'
import { families, familyAgents, familySetting, familyStrategy } from '../../helpers/agents/wire-families.ts'
import { drawAnswer } from '../../helpers/agents/wire-law.ts'
import { benchOk, recordsOf, startBench, stepsOf, until } from '../../helpers/runs/cli.ts'
import type { LogEntry } from '../../model-server/log.ts'
import type { Answer, CalledTool, ModelRequest, Script } from '../../model-server/script.ts'
import type { Body } from '../../model-server/wire.ts'

const path = 'src/parse-duration.mjs'

/** The calls of each turn. The last turn has none: it is the answer. */
const planned: readonly (readonly CalledTool[])[] = [
  [
    { name: 'read', input: { path } },
    { name: 'list', input: {} },
  ],
  [
    { name: 'read', input: { path: 'no/such.mjs' } },
    { name: 'write', input: { path, content: 'export const parseDuration = () => 42 // é😀\n' } },
    { name: 'read', input: { path } },
  ],
  [
    { name: 'check', input: {} },
    { name: 'read', input: { path: '../../etc/passwd' } },
  ],
]

/** Answers each model turn by turn in random pieces. A random half of the turns is cut once or twice before it comes whole. */
function scriptedTurns(seed: string) {
  const answers = new Map<number, Answer>()
  const models = new Map<string, { random: Random; turn: number; cuts: number }>()
  const script = ({ model, number }: ModelRequest): Answer => {
    const seen = models.get(model) ?? { random: seededRandom(`${seed} ${model}`), turn: 0, cuts: 0 }
    models.set(model, seen)
    const toolCalls = planned[seen.turn % (planned.length + 1)]
    const { failure: _, ...drawn } = drawAnswer(seen.random, !toolCalls, !model.startsWith('claude'))
    const answer: Answer = { ...drawn, ...(toolCalls && { toolCalls }) }
    const isCut = seen.cuts < 2 && seen.random() < 0.4
    seen.cuts = isCut ? seen.cuts + 1 : 0
    if (!isCut) seen.turn++
    // At most nine tenths: of a reply that lacks its last bytes alone, an agent may have read all.
    const failure = { kind: 'cut', at: seen.random() * 0.9, clean: seen.random() < 0.3 } as const
    const given = isCut ? { ...answer, failure } : answer
    answers.set(number, given)
    return given
  }
  return { script, answers }
}

const isAsk = (step: Step): step is AskStep => step.kind === 'ask'

/** Compares the ledger of one family with the server's log: each request is one step, with its tokens, calls and results. */
function compareWithLog(
  agent: string,
  steps: readonly Step[],
  log: readonly LogEntry[],
  answers: Map<number, Answer>,
) {
  const asks = steps
    .filter(isAsk)
    .filter((step) => step.agent === agent)
    .sort((a, b) => comparePlaces(a.key, b.key) || a.attempt - b.attempt)
  expect(asks).toHaveLength(log.length)
  let results: unknown[] = []
  for (const [i, ask] of asks.entries()) {
    const entry = log[i] as LogEntry
    const answer = answers.get(entry.number) as Answer
    const told = sentEvents(agent, entry.body as Body)
    if (ask.key.endsWith('.1')) results = []
    expect(told.flatMap((event) => (event.kind === 'result' ? [event.text] : []))).toEqual(results)
    if (entry.failure) {
      expect(ask.error?.reason).toMatch(/network|server/)
      expect([ask.tokens.input, ask.tokens.output, ask.costUsd]).toEqual([null, null, null])
      expect(ask).not.toHaveProperty('toolCalls')
      continue
    }
    expect(ask.error).toBeUndefined()
    const counts = answer.usage === null ? [null, null] : [entry.usage?.input, entry.usage?.output]
    expect([ask.tokens.input, ask.tokens.output]).toEqual(counts)
    const calls = ask.toolCalls?.map((call) => ({ name: call.name, input: JSON.parse(call.arguments) }))
    expect(calls).toEqual(answer.toolCalls)
    const made = (ask.toolCalls ?? []).map((_, n) =>
      steps.find((step) => step.kind === 'tool' && step.key === `${ask.key}.${n + 1}`),
    )
    expect(made.map((step) => step?.kind === 'tool' && step.call)).toEqual(ask.toolCalls ?? [])
    results.push(...made.map((step) => (step?.kind === 'tool' ? step.result : undefined)))
  }
}

/** The setting of a run that asks each family `asks` times, and its arguments. */
async function setting(script: Script, asks: number) {
  const made = await familySetting(script)
  const methods = familyStrategy(`{ for (let n = 1; n <= ${asks}; n++) await ask(name, 'Mend it, ' + n) }`)
  const run = ['--mode', 'live', '--tasks', 'duration-text', '--methods', methods, ...familyAgents]
  const tools = ['--tools', 'read,list,write,check']
  return { ...made, args: [...run, ...tools, '--out', made.folder, '--quiet', '--allow-unsandboxed'] }
}

it('the ledger holds what the server logged of streamed and cut turns of all wire formats', async () => {
  const { script, answers } = scriptedTurns('1')
  const { server, folder, env, args } = await setting(script, 2)
  await benchOk(args, { env })

  const steps = stepsOf(folder)
  const log = server.log.filter(({ number }) => number > 0).sort((a, b) => a.number - b.number)
  for (const agent of Object.values(families)) {
    const model = agent.slice(agent.indexOf(':') + 1)
    compareWithLog(
      agent,
      steps,
      log.filter((entry) => entry.model === model),
      answers,
    )
  }
  // Nothing twice: as many calls as whole turns asked for, and as many asks as requests.
  const called = log.flatMap(({ number, failure }) => (failure ? [] : (answers.get(number)?.toolCalls ?? [])))
  expect(steps.filter(({ kind }) => kind === 'tool')).toHaveLength(called.length)
  const sum = (part: 'input' | 'output') =>
    log.reduce(
      (total, { number, failure, usage }) =>
        total + (failure || answers.get(number)?.usage === null ? 0 : (usage?.[part] ?? 0)),
      0,
    )
  const unreported = log.filter(({ number, failure }) => failure || answers.get(number)?.usage === null)
  expect(recordsOf(folder)[0]?.spent).toMatchObject({
    calls: log.length,
    input: sum('input'),
    output: sum('output'),
    unreportedTokens: unreported.length,
  })
  expect(log.some(({ failure }) => failure === 'cut')).toBe(true)

  // A replay needs no server, and finds the same.
  await benchOk(['replay', folder])
  expect(server.asked()).toBe(log.length)
})

it('a resumed run gives each provider its turn back byte for byte, with all that it signed', async () => {
  const turns = new Map<string, number>()
  const signed: Answer = {
    text: 'I look.',
    thinking: 'Both, then.',
    signature: 'c2lnbmVkIQ==',
    toolCalls: planned[0] as readonly CalledTool[],
  }
  const script = ({ model }: ModelRequest): Answer => {
    const turn = (turns.get(model) ?? 0) + 1
    turns.set(model, turn)
    return turn === 1 ? signed : turn === 2 ? { failure: { kind: 'hang' } } : { text: 'Done.' }
  }
  const { server, folder, env, args } = await setting(script, 1)
  const running = startBench(args, { env })
  const names = Object.values(families)
  await until(() => server.asked() === 2 * names.length || running.isOver())
  running.kill('SIGKILL')
  await running.ended
  await benchOk(['--resume', folder, '--quiet', '--allow-unsandboxed'], { env })

  expect(server.asked()).toBe(3 * names.length)
  for (const agent of names) {
    const [first, hung, resumed] = server.log
      .filter(({ model }) => model === agent.slice(agent.indexOf(':') + 1))
      .sort((a, b) => a.number - b.number)
      .map(({ body }) => JSON.stringify(body))
    expect(resumed, agent).toBe(hung)
    expect(first).not.toContain('I look.')
    // Ollama signs nothing, and a server of Chat Completions has no field for it: their thinking goes back as it is.
    expect(resumed).toMatch(/ollama|compatible/.test(agent) ? /Both, then\./ : /c2lnbmVkIQ==/)
  }
})
