import { type GpuMemory, gpuMemory } from '../../sandbox/machine/gpu-memory.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { RateLimits } from '../../schema/limits.ts'
import type { Problem } from '../../text/errors.ts'
import type { Agent, AgentReply } from '../agent.ts'
import { conversationOf } from '../conversation.ts'
import { publicAddress } from '../http/address.ts'
import { askOnce } from '../http/ask-once.ts'
import { messageCleaner } from '../http/safe-message.ts'
import { chat } from './chat.ts'
import { chosenModel, isInstalled, localRoleOf, type Tier, tierFor } from './tiers.ts'

/** What the agent of local models leans on. */
interface OllamaEnvironment {
  /** Id of the run: prompts of equal trials of two runs begin differently. */
  run: string
  prices?: PriceFile | undefined
  /** Where the server is; OLLAMA_HOST by default. */
  address?: string | undefined
  /** What it lets through. */
  limits?: RateLimits | undefined
  /** The graphics memory to choose by; detected by default. */
  memory?: () => Promise<GpuMemory>
}

/**
 * An agent that asks Ollama: one model, or with no name given those of the tier that fits this machine's graphics
 * memory, one for each kind of work.
 */
export function createOllama(
  model: string,
  { run, prices, address = ollamaAddress(), limits = {}, memory = gpuMemory }: OllamaEnvironment,
): Agent {
  const name = model === '' ? 'ollama' : `ollama:${model}`
  const clean = messageCleaner('', undefined)
  const endpoint = URL.canParse(address) ? publicAddress(address) : undefined
  let found: Promise<Machine> | undefined
  const machine = () => {
    found ??= lookAround(address, memory)
    return found
  }
  return {
    name,
    paid: true,
    simulated: false,
    ...(endpoint && { endpoint }),
    account: { name: endpoint ? `ollama (${endpoint})` : 'ollama', limits },
    async missing() {
      const { tier, installed } = await machine()
      if (!isList(installed)) return [installed]
      return missingModels(model, tier, installed)
    },
    async prepare() {
      await machine()
    },
    async ask(request, signal) {
      signal.throwIfAborted()
      const { tier, installed } = await machine()
      // A server that was away when it was looked for may be there by now.
      if (!isList(installed)) found = undefined
      const has = isList(installed) ? installed : []
      const role = localRoleOf(request.work)
      const chosen = model === '' ? (chosenModel(tier, role, has) ?? tier.models[role]) : model
      const call = (either: AbortSignal) =>
        chat(
          address,
          {
            model: chosen,
            messages: conversationOf(request, run),
            context: tier.context,
            maxOutput: request.maxOutput,
          },
          either,
        )
      const priced = { agent: name, model: chosen }
      const reply: AgentReply = await askOnce({ request, signal, call, priced, prices, clean })
      return { ...reply, model: reply.model ?? chosen }
    },
  }
}

interface Machine {
  tier: Tier
  /** The server's models, or why it did not tell them. */
  installed: readonly string[] | Problem
}

async function lookAround(address: string, memory: () => Promise<GpuMemory>): Promise<Machine> {
  const [{ gib }, installed] = await Promise.all([memory(), installedModels(address)])
  return { tier: tierFor(gib), installed }
}

const isList = (installed: Machine['installed']): installed is readonly string[] => Array.isArray(installed)

function missingModels(model: string, tier: Tier, installed: readonly string[]): Problem[] {
  if (model !== '')
    return isInstalled(model, installed)
      ? []
      : [
          {
            where: `agent ollama:${model}`,
            what: `Ollama has no model ${model}`,
            fix: `Get it with \`ollama pull ${model}\`; it has ${installed.join(', ') || 'none'}.`,
          },
        ]
  return (['coder', 'auditor', 'writer'] as const)
    .filter((role) => chosenModel(tier, role, installed) === undefined)
    .map((role) => ({
      where: `agent ollama (tier ${tier.name}, ${role})`,
      what: `Ollama has neither ${tier.models[role]} nor ${tier.fallback}`,
      fix: `Get one: \`ollama pull ${tier.models[role]}\`.`,
    }))
}

/** Where Ollama listens, as Ollama's own tools read OLLAMA_HOST: `host`, `host:port` or a whole address. */
export function ollamaAddress(host = process.env.OLLAMA_HOST?.trim()): string {
  const given = host || '127.0.0.1'
  const isWhole = given.includes('://')
  const text = isWhole ? given : `http://${given}`
  if (!URL.canParse(text)) return text
  const { protocol, hostname, port, pathname } = new URL(text)
  // 0.0.0.0 means that the server listens on every address; this machine reaches it at 127.0.0.1.
  const reached = hostname === '0.0.0.0' ? '127.0.0.1' : hostname
  const explicit = isWhole ? port : port || '11434'
  return `${protocol}//${reached}${explicit ? `:${explicit}` : ''}${pathname.replace(/\/+$/, '')}`
}

/** Names of the models that the server has, or why it could not be asked. */
export async function installedModels(address: string): Promise<readonly string[] | Problem> {
  try {
    const response = await fetch(`${address}/api/tags`, { signal: AbortSignal.timeout(10_000) })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const { models } = (await response.json()) as { models?: { name: string }[] }
    return (models ?? []).map(({ name }) => name)
  } catch (error) {
    const { cause, message } = error as Error
    const what = `no Ollama answers at ${address} (${cause instanceof Error ? cause.message : message})`
    const fix = 'Start it with `ollama serve`, or say where it is in OLLAMA_HOST.'
    return { where: 'provider ollama', what, fix }
  }
}
