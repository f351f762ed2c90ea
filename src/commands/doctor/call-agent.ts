import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent, AgentReply, AgentRequest } from '../../agents/agent.ts'
import { folderPrefix } from '../../sandbox/folders/folder-owner.ts'
import { removeTree } from '../../sandbox/folders/remove-tree.ts'
import type { Config } from '../../schema/run/config.ts'
import { UserError } from '../../text/errors.ts'
import { createRedactor, secretsOf } from '../../text/redact.ts'
import { agentLabels } from '../agents/agent-prices.ts'
import { recordedName } from '../agents/config-agents.ts'
import { knownBill } from '../agents/known-bill.ts'
import { missingRequirements } from '../agents/live-manifest.ts'
import { priceFileProblems } from '../agents/price-file.ts'
import type { RunOptions } from '../config/run-options.ts'
import { requireSandbox, selectSandbox } from '../open/sandbox-option.ts'
import { reportNote } from '../terminal/report-error.ts'
import { foreignConfig, requireTrust } from '../trust/require-trust.ts'
import { agentOf, pricesOf } from './doctor-agents.ts'
import { readSoundConfig } from './sound-config.ts'

/**
 * Asks an agent for one word at the least possible cost; returns false if no reply came. Throws `UserError` if the agent is a
 * program and there is no full sandbox, or if the file of `--prices` has no price of it.
 */
export async function callAgent(
  text: string,
  options: Pick<RunOptions, 'allowUnsandboxed' | 'prices' | 'trustCode'>,
  write: (line: string) => void,
): Promise<boolean> {
  const sandbox = selectSandbox([], options)
  const config = await configHere(text, options.trustCode === true)
  const named = config.agents?.[text]
  const name = named === undefined ? text : recordedName(text, named)
  const { prices } = options
  const agent = await agentOf(name, config, { sandbox, prices })
  if (prices !== undefined) await checkPrices(prices, agent, config)
  const missing = await missingRequirements([agent])
  if (missing.length > 0) {
    for (const { where, what, fix = '' } of missing) write(`${where}: ${what}. ${fix}`)
    return false
  }
  const { notes } = await requireSandbox(sandbox, { agents: [agent], tasks: [] })
  for (const note of notes) reportNote(note)
  const folders: string[] = []
  // Folders are not nested: the sandbox's user may not enter a private parent folder.
  const folder = () => {
    const created = mkdtempSync(join(tmpdir(), folderPrefix()))
    folders.push(created)
    return created
  }
  try {
    const reply = await agent.ask(requestIn(folder), new AbortController().signal)
    const clean = createRedactor(secretsOf(process.env, []).secrets)
    const line = callLine(agent.name, clean ? { ...reply, text: clean.cut(reply.text) } : reply)
    write(clean ? clean.text(line) : line)
    return !reply.error
  } finally {
    for (const created of folders) removeTree(created)
  }
}

/** Throws `UserError` if the agent that is asked has a mistake or a key. */
async function configHere(asked: string, trusted: boolean): Promise<Config> {
  const { file, wrong = [] } = readSoundConfig() ?? {}
  if (!file) return {}
  const problems = wrong.filter(({ label }) => label === asked).map(({ problem }) => problem)
  if (problems.length > 0) throw new UserError(problems)
  await requireTrust([foreignConfig(file)], { trusted, signal: new AbortController().signal })
  return file.config
}

/** Throws `UserError` if a file of prices does not fit the agent. */
async function checkPrices(path: string, agent: Agent, config: Config): Promise<void> {
  const { name } = agent
  const { isPriced } = await knownBill(agent, pricesOf(name, config, path))
  const unpriced = isPriced ? [] : [name]
  const problems = priceFileProblems(path, { agents: [name], labels: agentLabels(config), unpriced })
  if (problems.length > 0) throw new UserError(problems)
}

function requestIn(folder: () => string): AgentRequest {
  return {
    role: 'tester',
    work: 'decide',
    prompt: 'Reply with the one word: ok',
    // The smallest limit that every provider accepts.
    maxOutput: 16,
    timeoutMs: 120_000,
    attempt: 1,
    repair: false,
    trial: {
      id: 'doctor',
      task: 'doctor',
      method: 'doctor',
      strategy: 'doctor',
      epoch: 1,
      seed: 1,
      key: '#0',
      rerun: 0,
    },
    roles: { tester: 'decide' },
    history: [],
    workspace: {
      files: () => ({}),
      peek: async () => ({ status: 'none', passed: 0, total: 0, output: '' }),
      folder: async () => folder(),
      home: folder,
    },
  }
}

const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text)

function callLine(name: string, { text, tokens, costUsd, durationMs, model, error }: AgentReply): string {
  if (error) return `${name}: ${error.reason}: ${error.message}`
  const count = (value: number | null) => (value === null ? 'not reported' : String(value))
  const cost = costUsd === null ? 'price unknown' : `$${costUsd.toFixed(6)}`
  return `${name}${model ? ` (${model})` : ''} replied ${JSON.stringify(shortened(text))} in ${durationMs} ms; tokens in ${count(tokens.input)}, out ${count(tokens.output)}; ${cost}`
}
