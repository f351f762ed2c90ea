import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recordsOf, root } from '../helpers/cli.ts'
import type { LogEntry } from '../model-server/log.ts'
import { type Client, families, programs, writing } from './clients.ts'
import { asksOf, counted, liveArgs, liveSetting, logByTrial, patience, runLive, told } from './live-run.ts'
import { methodsModel } from './methods-model.ts'

const solution = (path: string) => readFileSync(join(root, 'tasks', path), 'utf8')
const path = 'src/parse-duration.mjs'
const code = solution(`code/duration-text/solution/${path}`)

/** A model that solves three tasks: two by its answer, one by a file, which a program writes with a tool of its own. */
const modelFor = ({ shell }: Client, options?: { revise: boolean }) =>
  methodsModel((prompt, { messages }) => {
    if (/ferry/i.test(prompt)) return { text: solution('answers/ferry-morning/solution/answer.txt') }
    if (/lamp/i.test(prompt)) return { text: solution('answers/lamp-paths/solution/answer.txt') }
    if (!shell) return { text: `FILE: ${path}\n\`\`\`js\n${code}\`\`\`\n` }
    if (messages.some(({ role }) => role === 'tool')) return { text: 'It is done.' }
    return { text: 'I write it.', toolCalls: [shell(writing(path, code))] }
  }, options)

/** What the ledger must hold: what the server counts for each ask, over all requests of it. */
function countedByAsk(log: readonly LogEntry[], goesOn: ReadonlySet<number>): (number | null)[][] {
  const asks: (number | null)[][] = []
  let isOpen = false
  for (const entry of log) {
    const own = counted(entry)
    const last = asks.at(-1)
    if (isOpen && last)
      asks[asks.length - 1] = last.map((sum, i) => (sum === null ? null : sum + (own[i] ?? 0)))
    else asks.push(own)
    isOpen = goesOn.has(entry.number)
  }
  return asks
}

const tasks = 'ferry-morning,lamp-paths,duration-text'

it.each([...programs, ...families])(
  'has in the ledger what the server counts, call by call, for every method on three tasks: $agent',
  async (client: Client) => {
    const { agent } = client
    const model = modelFor(client)
    const setting = await liveSetting(model.answer)
    const { folder } = setting
    await runLive(setting, liveArgs(folder, agent, tasks, 'baseline,integrated,sequential'))

    const records = recordsOf(folder)
    expect(records.map(({ outcome, passed }) => [outcome.status, passed])).toEqual(
      Array(9).fill(['completed', true]),
    )
    const log = logByTrial(setting)
    for (const { trial, method, spent } of records) {
      const asks = asksOf(folder).filter((ask) => ask.trial === trial)
      expect(asks.map(told), `${method} of ${trial}`).toEqual(
        countedByAsk(log.get(trial) ?? [], model.goesOn),
      )
      expect(asks).toHaveLength({ baseline: 1, integrated: 3, sequential: 6 }[method] ?? 0)
      expect(spent.unreportedTokens).toBe(0)
    }
  },
  patience,
)

it.each([programs[0], programs[1], ...families])(
  'has it also where a method goes round again: $agent',
  async (client: Client) => {
    const { agent } = client
    const model = modelFor(client, { revise: true })
    const setting = await liveSetting(model.answer)
    const { folder } = setting
    await runLive(setting, liveArgs(folder, agent, 'ferry-morning', 'integrated,sequential'))
    const log = logByTrial(setting)
    for (const { trial, method } of recordsOf(folder)) {
      const asks = asksOf(folder).filter((ask) => ask.trial === trial)
      expect(asks.map(told)).toEqual(countedByAsk(log.get(trial) ?? [], model.goesOn))
      expect(asks).toHaveLength({ integrated: 11, sequential: 9 }[method] ?? 0)
    }
  },
  patience,
)
