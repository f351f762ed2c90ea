import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { strategies } from '../../strategies/index.ts'
import { recordsOf, root } from '../helpers/cli.ts'
import type { LogEntry } from '../model-server/log.ts'
import { type Client, families, programs, writing } from './clients.ts'
import { asksOf, counted, liveArgs, liveSetting, logByTrial, patience, runLive, told } from './live-run.ts'
import { methodsModel, toolMark } from './methods-model.ts'

const solution = (path: string) => readFileSync(join(root, 'tasks', path), 'utf8')
const path = 'src/parse-duration.mjs'
const code = solution(`code/duration-text/solution/${path}`)

/** A model that solves three tasks: two by its answer, one by a file, which a program writes with a tool of its own. */
const modelFor = ({ shell }: Client, options?: { revise: boolean }) =>
  methodsModel((prompt, { number }) => {
    if (/ferry/i.test(prompt)) return { text: solution('answers/ferry-morning/solution/answer.txt') }
    if (/lamp/i.test(prompt)) return { text: solution('answers/lamp-paths/solution/answer.txt') }
    if (!shell) return { text: `FILE: ${path}\n\`\`\`js\n${code}\`\`\`\n` }
    const command = `${writing(path, code)}; echo ${toolMark(number)}`
    return { text: 'I write it.', toolCalls: [shell(command)] }
  }, options)

/** What the server counts for an ask, over all its requests. */
const sumOf = (requests: readonly LogEntry[]) =>
  requests
    .map(counted)
    .reduce((sum, own) =>
      sum.map((part, i) => (part === null || own[i] == null ? null : part + (own[i] ?? 0))),
    )

const inOrder = (counts: readonly (number | null)[][]) => counts.map((one) => JSON.stringify(one)).sort()

/** Runs a method, and holds each of its asks against the server's count. */
async function plays(client: Client, method: string, tasks: string, options?: { revise: boolean }) {
  const model = modelFor(client, options)
  const setting = await liveSetting(model.answer)
  const { folder } = setting
  await runLive(setting, [...liveArgs(folder, client.agent, tasks, method), '--approve', 'yes'])
  const records = recordsOf(folder)
  const log = logByTrial(setting)
  for (const { trial, task, outcome, spent } of records) {
    expect(outcome.status, task).toBe('completed')
    const asks = asksOf(folder).filter((ask) => ask.trial === trial)
    expect(asks.map(({ error }) => error)).toEqual(asks.map(() => undefined))
    // Branches ask side by side, so that the order is no one's.
    expect(inOrder(asks.map(told)), task).toEqual(inOrder(model.byAsk(log.get(trial) ?? []).map(sumOf)))
    expect(asks.length).toBeGreaterThan(0)
    expect(spent.unreportedTokens).toBe(0)
  }
  return { records, asks: asksOf(folder) }
}

const clients: readonly Client[] = [...programs, ...families]
const methods = strategies.map(({ name }) => name)

it.each(clients.flatMap((client) => methods.map((method) => ({ ...client, method }))))(
  'has in the ledger what the server counts, call by call, for every method on three tasks: $agent, $method',
  async ({ method, ...client }) => {
    const { records } = await plays(client, method, 'ferry-morning,lamp-paths,duration-text')
    expect(records.map(({ passed }) => passed)).toEqual([true, true, true])
  },
  patience,
)

it.each([programs[0], programs[1], ...families])(
  'has it also where methods go round again: $agent',
  async (client) => {
    const { asks } = await plays(client, 'integrated,sequential', 'ferry-morning', { revise: true })
    const roles = asks.map(({ role }) => role)
    expect(roles.filter((role) => role === 'refiner').length).toBeGreaterThan(0)
    expect(roles.filter((role) => role === 'code-generator').length).toBeGreaterThan(2)
  },
  patience,
)
