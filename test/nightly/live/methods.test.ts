import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { asksOf, recordsOf, root } from '../../helpers/runs/cli.ts'
import { askingStrategies } from '../../helpers/runs/method-variants.ts'
import { type Client, families, programs, writing } from '../../live/clients.ts'
import {
  inOrder,
  liveArgs,
  liveSetting,
  logByTrial,
  patience,
  runLive,
  sumOf,
  tokensOf,
} from '../../live/live-run.ts'
import { markOf, methodsModel, toolMark } from '../../live/methods-model.ts'
import type { ModelRequest } from '../../model-server/script.ts'

const solution = (path: string) => readFileSync(join(root, 'tasks', path), 'utf8')
const path = 'src/parse-duration.mjs'
const code = solution(`code/duration-text/solution/${path}`)

/** A model that solves three tasks: two by its answer, one by a file, which a program writes with a tool of its own. */
const modelFor = ({ shell }: Client, options?: Options) =>
  methodsModel((prompt, { number }) => {
    if (/ferry/i.test(prompt)) return { text: solution('answers/ferry-morning/solution/answer.txt') }
    if (/lamp/i.test(prompt)) return { text: solution('answers/lamp-paths/solution/answer.txt') }
    if (!shell) return { text: `FILE: ${path}\n\`\`\`js\n${code}\`\`\`\n` }
    const command = `${writing(path, code)}; echo ${toolMark(number)}`
    return { text: 'I write it.', toolCalls: [shell(command)] }
  }, options)

interface Options {
  /** Whether each first verdict is bad. */
  revise?: boolean
  /** The requests at which the server fails. */
  breaksAt?: (request: ModelRequest) => boolean
  retries?: number
}

interface Played {
  record: TrialRecord
  asks: readonly AskStep[]
  /** The server's counts for each ask. */
  counts: (number | null)[][]
  /** The bodies of the requests of each ask, as text. */
  bodies: string[]
}

/** Plays methods on tasks in one run: some programs take seconds of work to start, so it is not begun once for each. */
async function plays(
  client: Client,
  methods: readonly string[],
  tasks: string,
  options: Options = {},
): Promise<Played[]> {
  const model = modelFor(client, options)
  const setting = await liveSetting((request) => ({
    ...model.answer(request),
    ...(options.breaksAt?.(request) && { failure: { kind: 'status', status: 500 } }),
  }))
  const { folder } = setting
  const args = [...liveArgs(folder, client.agent, tasks, methods.join()), '--approve', 'yes']
  await runLive(setting, [...args, '--retries', String(options.retries ?? 2)])
  const log = logByTrial(setting)
  const asks = asksOf(folder)
  return recordsOf(folder).map((record) => {
    const requests = model.byAsk(log.get(record.trial) ?? [])
    return {
      record,
      asks: asks.filter(({ trial }) => trial === record.trial),
      counts: requests.map(sumOf),
      // JSON in JSON, however deep.
      bodies: requests.map((own) => JSON.stringify(own[0]?.body).replaceAll('\\', '')),
    }
  })
}

/** Holds each ask of a trial against the server's count; so many of them broke down. */
function agreesWithServer({ record, asks, counts }: Played, broken = 0): void {
  const { task, method, outcome, spent } = record
  expect([task, method, outcome.status]).toEqual([task, method, 'completed'])
  const reasons = asks.flatMap(({ error }) => error?.reason ?? [])
  expect([method, reasons]).toEqual([method, Array(broken).fill('server')])
  expect(asks.length).toBeGreaterThan(broken)
  // Branches ask side by side, so the order is not fixed.
  expect(inOrder(asks.map(tokensOf)), `${task}, ${method}`).toEqual(inOrder(counts))
  expect(spent.unreportedTokens).toBe(broken)
}

/** Where attempts are made side by side, two of them show all that more would. */
const few: Readonly<Record<string, string>> = {
  'self-consistency': 'self-consistency[n=2]',
  'best-of': 'best-of[n=2]',
  consensus: 'consensus[agents=2]',
}
const methods = [...askingStrategies.map(({ name }) => few[name] ?? name), 'baseline[turns=2]']

describe.each<Client>([...programs, ...families])(
  'the ledger has the server’s counts, call by call, on three tasks: $agent',
  (client) => {
    let all: Promise<Played[]> | undefined
    it.each(methods)(
      '%s',
      async (method) => {
        all ??= plays(client, methods, 'ferry-morning,lamp-paths,duration-text')
        const played = (await all).filter(({ record }) => record.method === method)
        for (const trial of played) agreesWithServer(trial)
        expect(played.map(({ record }) => record.passed)).toEqual([true, true, true])
      },
      patience,
    )
  },
)

it.each<Client>([programs[0], ...families])(
  'the ledger has the server’s counts if methods repeat their loops: $agent',
  async (client) => {
    const played = await plays(client, ['integrated', 'sequential'], 'ferry-morning', { revise: true })
    for (const trial of played) agreesWithServer(trial)
    const roles = played.flatMap(({ asks }) => asks.map(({ role }) => role))
    expect(roles.filter((role) => role === 'refiner').length).toBeGreaterThan(0)
    expect(roles.filter((role) => role === 'code-generator').length).toBeGreaterThan(2)
  },
  patience,
)

const onceEach = (isIt: (request: ModelRequest) => boolean) => {
  const broken = new Set<string>()
  return (request: ModelRequest) => {
    const mark = markOf(request)
    if (broken.has(mark) || !isIt(request)) return false
    broken.add(mark)
    return true
  }
}

it.each<Client>([programs[0], families[0]])(
  'the ledger has the server’s counts if an agent gives nothing and the others go on without it: $agent',
  async (client) => {
    // A workflow in which the producer is not the first stage.
    const workflow = 'collaboration[workflow=feature_development]'
    const inForks = ['self-consistency[n=3]', 'best-of[n=3]', 'retry[n=2]', 'consensus', workflow]
    const breaksAt = onceEach(() => true)
    const played = await plays(client, inForks, 'duration-text', { breaksAt, retries: 0 })
    const passed = played.flatMap(({ record }) => (record.passed ? record.method : []))
    expect(passed.toSorted()).toEqual(inForks.toSorted())
    for (const trial of played) agreesWithServer(trial, 1)
  },
  patience,
)

it.each<Client>([programs[0], families[0]])(
  'the ledger has the server’s counts if a turn of a session fails and is asked again: $agent',
  async (client) => {
    const isSecond = ({ body }: ModelRequest) => JSON.stringify(body).includes('Go over your work')
    const breaksAt = onceEach(isSecond)
    const [trial] = await plays(client, ['baseline[turns=2]'], 'duration-text', { breaksAt })
    expect(trial?.record.passed).toBe(true)
    if (trial) agreesWithServer(trial, 1)
    expect(trial?.asks.map(({ error }) => error?.reason)).toEqual([undefined, 'server', undefined])
  },
  patience,
)

it.each<Client>(programs)(
  'the orchestrator of integrated keeps one conversation, which gets only new texts: $agent',
  async (client) => {
    const [trial] = await plays(client, ['integrated[session=true]'], 'ferry-morning')
    if (!trial) throw new Error('no trial')
    agreesWithServer(trial)
    expect(trial.record.passed).toBe(true)
    expect(trial.asks.map(({ role }) => role)).toEqual(['orchestrator', 'code-generator', 'orchestrator'])
    const [first = '', , second = ''] = trial.bodies
    const times = (body: string, text: string) => body.split(text).length - 1
    const decided = '"next":"code-generator"'
    const task = '# A morning at the ferry'
    expect([times(first, decided), times(second, decided)]).toEqual([0, 1])
    expect(times(first, task)).toBeGreaterThan(0)
    expect(times(second, task)).toBe(times(first, task))
  },
  patience,
)
