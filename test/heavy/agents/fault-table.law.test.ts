import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import pMap from 'p-map'
import { expect, it } from 'vitest'
import { createAgents } from '../../../src/agents/registry.ts'
import { lazySandbox, type SandboxChoice } from '../../../src/sandbox/open-sandbox.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { level } from '../../helpers/house/level.ts'
import { needs } from '../../helpers/house/needs.ts'
import { root } from '../../helpers/runs/cli.ts'
import { playTrial, strategyOf } from '../../helpers/runs/trial.ts'
import { programFolder } from '../../live/clients.ts'
import { faults } from '../../model-server/faults.ts'
import { startModelServer } from '../../model-server/server.ts'

/** The agents of the table: each asks a server on loopback. */
const httpAgents = {
  anthropic: { model: 'claude-sonnet-4-5', path: '', wire: 'anthropic' },
  openai: { model: 'gpt-5', path: '/v1', wire: 'openai-responses' },
  google: { model: 'gemini-2.5-pro', path: '', wire: 'gemini' },
  'openai-compatible': { model: 'local-model', path: '/v1', wire: 'openai-chat' },
  ollama: { model: 'test', path: '', wire: 'ollama' },
} as const
const cliAgents = {
  'claude-cli': { model: 'claude-sonnet-4-5', path: '', wire: 'anthropic' },
  'codex-cli': { model: 'gpt-5', path: '/v1', wire: 'openai-responses' },
  'gemini-cli': { model: 'gemini-2.5-pro', path: '', wire: 'gemini' },
  'opencode-cli': { model: 'local-model', path: '/v1', wire: 'openai-chat' },
  'qwen-cli': { model: 'qwen3-coder', path: '/v1', wire: 'openai-chat' },
} as const
const agents = { ...httpAgents, ...cliAgents }
type AgentName = keyof typeof agents

/** The vendor's format in which an agent is answered. */
const wireOf = (name: AgentName) => agents[name].wire

interface Cell {
  agent: AgentName
  /** The name of a fault of the model server, or `dead server`. */
  fault: string
  /** Which of the vendor's forms. */
  form?: number
  /** Of each attempt. */
  timeoutMs?: number
  sandbox?: SandboxChoice
}

/** What came out of a trial whose only ask met a fault at each attempt. */
interface CellEnd {
  /** The reason of each failed attempt; `none` for a reply. */
  reason: string
  /** The trial's outcome. */
  trial: string
  attempts: number
  /** Requests that reached the server. */
  requests: number
  /** Whether every attempt has its tokens and its cost: `0`, `told`, or `unknown`. */
  tokens: string
  /** The last error, for the failed test. */
  message: string
}

const keyVariable = 'FAULT_TABLE_KEY'
process.env[keyVariable] = 'sk-fault-table-0123456789abcdef'

/** Plays a trial against a server that shows the fault at every request, with one retry. */
async function playCell({ agent: name, fault, form, timeoutMs, sandbox = 'none' }: Cell): Promise<CellEnd> {
  const { model, path } = agents[name]
  const isDead = fault === 'dead server'
  const server = await startModelServer(() => (isDead ? {} : { fault, ...(form !== undefined && { form }) }))
  const url = isDead ? await closedAddress() : server.url
  const fullName = `${name}:${model}`
  try {
    const created = await createAgents(
      { '*': fullName },
      {
        tasks: [],
        profile: undefined,
        trySubmission: () => Promise.reject(new Error('not here')),
        sandbox: lazySandbox(sandbox),
        run: 'run-1',
        prices: { prices: { [fullName]: { input: 1, output: 1 } } },
        endpoints: { [name]: { baseUrl: `${url}${path}`, keyVariable } },
      },
    )
    const agent = created.get(fullName)
    if (!agent) throw new Error(`no agent ${fullName}`)
    const { record, steps } = await playTrial({
      mode: 'live',
      // Nobody waits before a retry.
      agent: { ...agent, virtualTime: true },
      strategy: strategyOf(async ({ ask }) => ({
        answer: await ask('solver', 'What is six times seven?', timeoutMs === undefined ? {} : { timeoutMs }),
        stopReason: 'done',
      })),
      retries: 1,
    })
    const asks = steps.filter((step): step is AskStep => step.kind === 'ask')
    return {
      reason: eachOf(asks.map(({ error }) => error?.reason ?? 'none')),
      trial: record.outcome.status,
      attempts: asks.length,
      requests: server.asked(),
      tokens: eachOf(asks.map(tokensOf)),
      message: asks.at(-1)?.error?.message ?? '',
    }
  } finally {
    await server.close()
  }
}

/** The value that all attempts have, or all of them. */
const eachOf = (values: readonly string[]) => [...new Set(values)].join(', ')

function tokensOf({ tokens: { input, output }, costUsd }: AskStep): string {
  if (input === 0 && output === 0 && costUsd === 0) return '0'
  return input !== null && output !== null && costUsd !== null ? 'told' : 'unknown'
}

/** The address of a server that has ended. */
async function closedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return `http://127.0.0.1:${port}`
}

/** What the page says of an agent that meets a fault. */
interface Wanted {
  agent: AgentName
  /** `none` if the trial goes on with the reply. */
  reason: string
  /** The trial's outcome. */
  trial: string
  again: boolean
  tokens: string
  /** The program itself repeats requests. */
  repeats: boolean
}

/** A row: the fault, and the agents that can show it. */
interface Row {
  fault: string
  wanted: readonly Wanted[]
}

const page = readFileSync(join(root, 'docs/reference/fault-table.md'), 'utf8')
const outcomes = ['completed', 'failed', 'limited', 'error']
const names = Object.keys(agents) as AgentName[]

/** Returns the rows of the table of docs/reference/fault-table.md. */
function readFaultTable(): Row[] {
  const [, table = ''] = page.split('\n## Table\n')
  const [head = [], , ...rows] = (table.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const columns = ['fault', ...names, 'trial', 'again', 'tokens']
  if (head.join() !== columns.join()) throw new Error(`the table has the columns ${head.join(', ')}`)
  return rows.map((cells) => {
    const [trial = '', again = '', tokens = ''] = cells.slice(-3)
    const others = [trial, again, tokens]
    return {
      fault: cells[0] ?? '',
      wanted: names.flatMap((agent, i) => {
        const cell = cells[i + 1] ?? ''
        return cell === '—' ? [] : [wantedOf(agent, cell, others)]
      }),
    }
  })
}

/** Reads a cell: a reason, and after commas the words in which it differs from the last three columns. */
function wantedOf(agent: AgentName, cell: string, others: readonly string[]): Wanted {
  const [reason = '', ...own] = cell.split(/, */).map(withoutMarks)
  const repeats = own.includes('repeats')
  const words = others.map(withoutMarks)
  for (const word of own.filter((one) => one !== 'repeats'))
    words[outcomes.includes(word) ? 0 : ['yes', 'no'].includes(word) ? 1 : 2] = word
  const [trial = '', again, tokens = ''] = words
  return { agent, reason: reason === 'ok' ? 'none' : reason, trial, again: again === 'yes', tokens, repeats }
}

const withoutMarks = (text: string) => text.replaceAll('`', '')

/** The fault for which no server is there. */
const dead = 'dead server'
/** The fault that the ask's own limit ends. */
const hanging = 'hanging server'

interface Playing {
  sandbox: 'none' | 'bubblewrap'
  /** Longest attempt, and the longest where the server hangs; ms. */
  timeoutMs: number
  hangMs: number
  /** Whether every form of a fault is played, or the first one alone. */
  everyForm: boolean
  /** Cells at a time. */
  parallel: number
}

/** The rows in which one of these agents can show the fault. */
const rowsOf = (agents: readonly AgentName[]): Row[] =>
  readFaultTable()
    .map(({ fault, wanted }) => ({ fault, wanted: wanted.filter(({ agent }) => agents.includes(agent)) }))
    .filter(({ wanted }) => wanted.length > 0)

/** Number of the forms in which the server shows a fault to an agent. */
const formsOf = (fault: string, agent: AgentName): number =>
  fault === dead ? 1 : (faults[fault]?.[wireOf(agent)]?.length ?? 0)

/** Plays the cells of a row, and checks that each ends as the page says. */
async function holdRow({ fault, wanted }: Row, playing: Playing): Promise<void> {
  const { sandbox, timeoutMs, hangMs, everyForm, parallel } = playing
  const cells = wanted.flatMap((cell) =>
    [...Array(everyForm ? formsOf(fault, cell.agent) : 1).keys()].map((form) => ({ ...cell, form })),
  )
  const ends = await pMap(
    cells,
    ({ agent, form }) =>
      playCell({ agent, fault, form, sandbox, timeoutMs: fault === hanging ? hangMs : timeoutMs }),
    { concurrency: parallel },
  )
  const got = cells.map((cell, i) => shown(cell, ends[i] as CellEnd))
  const expected = cells.map((cell) => asWanted(fault, cell))
  expect(got, ends.map(({ message }) => message).join('\n')).toEqual(expected)
}

type Played = Wanted & { form: number }

/** The end of a cell in the words of the page. */
function shown(cell: Played, { reason, trial, attempts, requests, tokens }: CellEnd): string {
  const isMore = cell.repeats && requests >= attempts
  return line(cell, [reason, trial, attempts, isMore ? 'any' : requests, tokens])
}

function asWanted(fault: string, cell: Played): string {
  const { reason, trial, again, tokens, repeats } = cell
  const attempts = again ? 2 : 1
  return line(cell, [reason, trial, attempts, repeats ? 'any' : fault === dead ? 0 : attempts, tokens])
}

const line = (
  { agent, form }: Played,
  [reason, trial, attempts, requests, tokens]: readonly (string | number | undefined)[],
) =>
  `${agent}, form ${form}: ${reason}, ${trial}, ${attempts} attempts, ${requests} requests, tokens ${tokens}`

/** By day agents over HTTP are played, in the night the agent CLIs. */
const isNight = level(false, true)
if (isNight) process.env.PATH = `${programFolder()}${delimiter}${process.env.PATH}`
const overHttp: Omit<Playing, 'timeoutMs'> = { sandbox: 'none', hangMs: 300, everyForm: true, parallel: 5 }
const byClis: Omit<Playing, 'timeoutMs'> = {
  ...{ sandbox: 'bubblewrap', hangMs: 30_000, everyForm: false, parallel: 2 },
}

const httpNames = Object.keys(httpAgents) as AgentName[]
const rows = rowsOf(httpNames)

it('the table has a row for every fault of the model server and for a server that is not there', () => {
  const inTable = readFaultTable().map(({ fault }) => fault)
  expect([...inTable].sort()).toEqual([...Object.keys(faults), 'dead server'].sort())
  expect(inTable.length).toBeGreaterThanOrEqual(20)
})

it('the table has a cell for every agent over HTTP whose server can show the fault', () => {
  const inTable = rows.flatMap(({ fault, wanted }) => wanted.map(({ agent }) => `${fault}, ${agent}`))
  const shown = rows.flatMap(({ fault }) =>
    httpNames.filter((agent) => formsOf(fault, agent) > 0).map((agent) => `${fault}, ${agent}`),
  )
  expect(inTable).toEqual(shown)
})

const playing = { timeoutMs: 60_000, ...(isNight ? byClis : overHttp) }
const { it: played } = needs(...(isNight ? (['bwrap'] as const) : []))

played.each(isNight ? rowsOf(Object.keys(cliAgents) as AgentName[]) : rows)(
  `$fault: every agent ${isNight ? 'CLI' : 'over HTTP'} ends as docs/reference/fault-table.md says`,
  { timeout: 1_800_000 },
  (row) => holdRow(row, playing),
)
