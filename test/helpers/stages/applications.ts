import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import type { StageStep } from '../../../src/schema/ledger/stage-step.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import type { LogEntry } from '../../model-server/log.ts'
import type { Script } from '../../model-server/script.ts'
import { type ModelServer, startModelServer } from '../../model-server/server.ts'
import { familyEnv } from '../agents/wire-families.ts'
import { tempFolder } from '../machine/temp.ts'
import { argv } from '../runs/argv.ts'
import { benchOk, recordsOf, root, stepsOf } from '../runs/cli.ts'

/** What each program begins with: `post` sends a request as it is, `ask` asks the model and gives the text of its reply. */
const prelude = `
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
const base = process.env.BENCH_BASE_URL
const post = (path, body, headers = {}, url = base) => fetch(url + path, {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY, ...headers },
  body: JSON.stringify(body),
})
const chat = (text, more = {}) => ({ model: 'whatever', messages: [{ role: 'user', content: text }], ...more })
const ask = async (text, more, headers) => {
  const reply = await post('/v1/chat/completions', chat(text, more), headers)
  if (!reply.ok) throw new Error(reply.status + ' ' + (await reply.text()))
  return (await reply.json()).choices[0].message.content
}
`

/** A folder with programs of these names, a model server on loopback, and what leads a run to both. */
export interface Applications {
  cwd: string
  env: Record<string, string>
  server: ModelServer
  /** The methods of these programs, each with its name as label. `options` follows each command. */
  methods: string
}

/** Writes programs, each the code after \`prelude\`, and starts a model server until the test ends. */
export async function applications(
  script: Script,
  programs: Readonly<Record<string, string | { code: string; options: string }>>,
): Promise<Applications> {
  const server = await startModelServer(script)
  onTestFinished(() => server.close())
  const cwd = tempFolder()
  const methods = Object.entries(programs).map(([name, given]) => {
    const { code, options } = typeof given === 'string' ? { code: given, options: '' } : given
    const file = join(cwd, `${name}.mjs`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${prelude}${code}\n`)
    return `${name}=external:node ${name}.mjs${options}`
  })
  return { cwd, env: familyEnv(server.url), server, methods: methods.join(',') }
}

/** The arguments of a live run of these methods on one task that wants an answer. */
export const liveRun = (methods: string, ...more: string[]): string[] => [
  ...argv`run --mode live --tasks ferry-morning --agents openai-compatible:local-model --out r --quiet --allow-unsandboxed`,
  '--methods',
  methods,
  ...more,
]

/** One trial of a run: its record, its stage and its requests. */
export interface ApplicationTrial {
  record: TrialRecord
  stage: StageStep
  asks: AskStep[]
}

/** The trials of a run with one task, by method. */
export function trialsOf(folder: string): Record<string, ApplicationTrial> {
  const steps = stepsOf(folder)
  return Object.fromEntries(
    recordsOf(folder).map((record) => {
      const own = steps.filter(({ trial }) => trial === record.trial)
      const stage = own.find((step): step is StageStep => step.kind === 'stage') as StageStep
      const asks = own.filter((step): step is AskStep => step.kind === 'ask' && step.payer === 'method')
      return [record.method, { record, stage, asks }]
    }),
  )
}

/** The requests of a server that hold a text. */
export const holding = ({ log }: ModelServer, text: string): LogEntry[] =>
  log.filter(({ number, body }) => number > 0 && JSON.stringify(body).includes(text))

/** Writes prices for these agents, in dollars per million tokens. Returns the arguments that name them. */
export function pricesIn(
  cwd: string,
  agents = ['openai-compatible:local-model', 'openai-compatible:large'],
): string[] {
  const prices = agents.map((agent) => `  ${agent}: { input: 1, output: 2 }\n`)
  writeFileSync(join(cwd, 'prices.yaml'), `date: 2026-11-01\nsource: a list\nprices:\n${prices.join('')}`)
  return ['--prices', 'prices.yaml']
}

/** What requests cost at these prices, by the server's own log; US dollars. */
export const costOf = (entries: readonly LogEntry[]): number =>
  entries.reduce((sum, { usage }) => sum + ((usage?.input ?? 0) + 2 * (usage?.output ?? 0)) / 1e6, 0)

/** Puts an example into the folder `app` of a working folder, its config beside it, and packages that were installed in `packages`. */
export function placeExample(name: string, cwd: string, packages?: string): void {
  const app = join(cwd, 'app')
  cpSync(join(root, 'fixtures/applications', name), app, { recursive: true })
  if (packages !== undefined)
    cpSync(join(packages, 'node_modules'), join(app, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    })
  const config = join(app, 'bench.config.yaml')
  if (existsSync(config)) renameSync(config, join(cwd, 'bench.config.yaml'))
}

/** Runs an example whose planner asks another model than its solver, and holds its bill against the log of the server, which it returns. */
export async function runExample(name: string, packages?: string): Promise<ModelServer> {
  const { cwd, env, server } = await applications(
    ({ body, stream }) => ({
      text: JSON.stringify(body).includes('Plan this task') ? '1. Add.' : 'Answer: 418',
      ...(stream && { pieces: 7 }),
    }),
    {},
  )
  placeExample(name, cwd, packages)
  const config = readFileSync(join(cwd, 'bench.config.yaml'), 'utf8')
  expect(config.trimEnd().split('\n').length).toBeLessThanOrEqual(10)
  const large = ['--agent', 'planner=openai-compatible:large', '--epochs', '2']
  await benchOk(liveRun('mine,baseline', ...large, ...pricesIn(cwd)), { cwd, env })

  const { mine } = trialsOf(join(cwd, 'r'))
  expect(mine?.record).toMatchObject({
    passed: true,
    detail: 'requests to models: 2',
    fidelity: { status: 'kept' },
  })
  const [planned, solved] = [holding(server, 'Plan this task'), holding(server, '# Plan')]
  expect([...planned, ...solved].map(({ model }) => model)).toEqual([
    ...['large', 'large'],
    ...['local-model', 'local-model'],
  ])
  const entries = [planned[0], solved[0]].flatMap((one) => one ?? [])
  expect(mine?.asks.map(({ role, agent, tokens }) => [role, agent, tokens.input, tokens.output])).toEqual([
    ['planner', 'openai-compatible:large', entries[0]?.usage?.input, entries[0]?.usage?.output],
    ['solver', 'openai-compatible:local-model', entries[1]?.usage?.input, entries[1]?.usage?.output],
  ])
  expect(mine?.record.spent.costUsd).toBeCloseTo(costOf(entries), 9)
  await benchOk(['replay', 'r'], { cwd })
  return server
}

/** The command lines of all processes, on Linux. */
export function commandsOfProcesses(): string[] {
  if (!existsSync('/proc/self/cmdline')) return []
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1')] : []
    } catch {
      return []
    }
  })
}
