import { type GpuMemory, gpuMemory } from '../../sandbox/machine/gpu-memory.ts'
import type { ModelSetting } from '../../schema/agent/model-setting.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { RateLimits } from '../../schema/limits.ts'
import type { Problem } from '../../text/errors.ts'
import type { Agent, AgentReply } from '../agent.ts'
import { conversationOf } from '../conversation.ts'
import { publicAddress } from '../http/address.ts'
import { askOnce } from '../http/ask-once.ts'
import { nativeFormatOf } from '../http/native-format.ts'
import { messageCleaner } from '../http/safe-message.ts'
import { loadPatientFetch } from '../wire/patient-fetch.ts'
import { chat } from './chat.ts'
import { chosenModel, isInstalled, localRoleOf, type Tier, tierFor } from './tiers.ts'

/** What an agent of local models uses. */
interface OllamaEnvironment {
  /** Id of the run, which makes the prompts of equal trials of two runs differ. */
  run: string
  prices?: PriceFile | undefined
  /** What the agent asks of its models beside the prompt. */
  setting?: ModelSetting | undefined
  /** Address of the server; OLLAMA_HOST by default. */
  address?: string | undefined
  /** Rate limits of the server. */
  limits?: RateLimits | undefined
  /** Returns the graphics memory, which decides the tier; detected by default. */
  memory?: () => Promise<GpuMemory>
}

/**
 * Creates an agent that calls Ollama. Without a model name it uses the tier that fits this machine's graphics memory, with
 * one model for each kind of work.
 */
export function createOllama(
  model: string,
  { run, prices, setting, address = ollamaAddress(), limits = {}, memory = gpuMemory }: OllamaEnvironment,
): Agent {
  const name = model === '' ? 'ollama' : `ollama:${model}`
  const clean = messageCleaner('', undefined)
  const endpoint = URL.canParse(address) ? publicAddress(address) : undefined
  let found: Promise<Machine> | undefined
  const machine = () => {
    found ??= detectMachine(address, memory)
    return found
  }
  return {
    name,
    paid: true,
    simulated: false,
    tools: 'called',
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
      // A server that did not answer before may answer by now.
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
            tools: request.tools,
            setting,
            format: nativeFormatOf(request)?.schema,
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
  /** The server's models, or why they could not be listed. */
  installed: readonly string[] | Problem
}

async function detectMachine(address: string, memory: () => Promise<GpuMemory>): Promise<Machine> {
  const [{ gib }, installed] = await Promise.all([memory(), installedModels(address), loadPatientFetch()])
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
            fix: `Run \`ollama pull ${model}\`. Installed: ${installed.join(', ') || 'none'}.`,
          },
        ]
  return (['coder', 'auditor', 'writer'] as const)
    .filter((role) => chosenModel(tier, role, installed) === undefined)
    .map((role) => ({
      where: `agent ollama (tier ${tier.name}, ${role})`,
      what: `Ollama has neither ${tier.models[role]} nor ${tier.fallback}`,
      fix: `Run \`ollama pull ${tier.models[role]}\`.`,
    }))
}

/** Returns the address of Ollama, read from OLLAMA_HOST as Ollama's own tools do: `host`, `host:port` or a whole address. */
export function ollamaAddress(host = process.env.OLLAMA_HOST?.trim()): string {
  const given = host || '127.0.0.1'
  const isWhole = given.includes('://')
  const text = isWhole ? given : `http://${given}`
  if (!URL.canParse(text)) return text
  const { protocol, hostname, port, pathname } = new URL(text)
  // The server listens on every address at 0.0.0.0; clients reach it at 127.0.0.1.
  const reached = hostname === '0.0.0.0' ? '127.0.0.1' : hostname
  const explicit = isWhole ? port : port || '11434'
  return `${protocol}//${reached}${explicit ? `:${explicit}` : ''}${pathname.replace(/\/+$/, '')}`
}

/** Returns the names of the server's models, or the problem if it does not answer. */
async function installedModels(address: string): Promise<readonly string[] | Problem> {
  try {
    const response = await fetch(`${address}/api/tags`, { signal: AbortSignal.timeout(10_000) })
    if (!response.ok) throw new Error(`status ${response.status}`)
    const { models } = (await response.json()) as { models?: { name: string }[] }
    return (models ?? []).map(({ name }) => name)
  } catch (error) {
    const { cause, message } = error as Error
    const what = `no Ollama answers at ${address} (${cause instanceof Error ? cause.message : message})`
    const fix = 'Start it with `ollama serve`, or set OLLAMA_HOST to its address.'
    return { where: 'provider ollama', what, fix }
  }
}
