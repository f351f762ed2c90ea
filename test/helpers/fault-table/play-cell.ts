import { createServer } from 'node:net'
import { createAgents } from '../../../src/agents/registry.ts'
import { lazySandbox, type SandboxChoice } from '../../../src/sandbox/open-sandbox.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { startModelServer } from '../../model-server/server.ts'
import { playTrial, strategyOf } from '../runs/trial.ts'

/** The agents of the table: each asks a server on loopback. */
export const httpAgents = {
  anthropic: { model: 'claude-sonnet-4-5', path: '', wire: 'anthropic' },
  openai: { model: 'gpt-5', path: '/v1', wire: 'openai-responses' },
  google: { model: 'gemini-2.5-pro', path: '', wire: 'gemini' },
  'openai-compatible': { model: 'local-model', path: '/v1', wire: 'openai-chat' },
  ollama: { model: 'test', path: '', wire: 'ollama' },
} as const
export const cliAgents = {
  'claude-cli': { model: 'claude-sonnet-4-5', path: '', wire: 'anthropic' },
  'codex-cli': { model: 'gpt-5', path: '/v1', wire: 'openai-responses' },
  'gemini-cli': { model: 'gemini-2.5-pro', path: '', wire: 'gemini' },
  'opencode-cli': { model: 'local-model', path: '/v1', wire: 'openai-chat' },
  'qwen-cli': { model: 'qwen3-coder', path: '/v1', wire: 'openai-chat' },
} as const
export const agents = { ...httpAgents, ...cliAgents }
export type AgentName = keyof typeof agents

/** The vendor's format in which an agent is answered. */
export const wireOf = (name: AgentName) => agents[name].wire

export interface Cell {
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
export interface CellEnd {
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
export async function playCell({
  agent: name,
  fault,
  form,
  timeoutMs,
  sandbox = 'none',
}: Cell): Promise<CellEnd> {
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
