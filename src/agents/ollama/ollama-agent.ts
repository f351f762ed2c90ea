import type { KindOfWork } from '../../ask.ts'
import { type GpuMemory, gpuMemory } from '../../sandbox/machine/gpu-memory.ts'
import type { ModelSetting } from '../../schema/agent/agent-settings.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { RateLimits } from '../../schema/limits.ts'
import type { Problem } from '../../text/errors.ts'
import type { Agent, AgentReply } from '../agent.ts'
import { conversationOf } from '../conversation.ts'
import { messageCleaner, publicAddress } from '../http/address.ts'
import { askOnce } from '../http/ask-once.ts'
import { nativeFormatOf } from '../http/native-format.ts'
import { loadPatientFetch } from '../wire/patient-fetch.ts'
import { chat } from './chat.ts'

interface OllamaEnvironment {
  /** Id of the run, which makes the prompts of equal trials of two runs differ. */
  run: string
  prices?: PriceFile | undefined
  /** What the agent asks of its models beside the prompt. */
  setting?: ModelSetting | undefined
  /** Address of the server; OLLAMA_HOST by default. */
  address?: string | undefined
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

type LocalRole = 'writer' | 'auditor' | 'coder'

/** Models for one size of machine, in Ollama's default quantisation (4 bits), with room for the context. */
interface Tier {
  name: string
  /** Minimum graphics memory in GiB. A size between two tiers gets the lower one. */
  fromGib: number
  models: Readonly<Record<LocalRole, string>>
  /** The model to use if the role's model is not installed. */
  fallback: string
  /** Context size that fits beside the model, in tokens. */
  context: number
}

/** All tiers, smallest first. A card sold as 16 GB reports a little less, so the bounds are lower than the names. */
export const tiers: readonly Tier[] = [
  {
    name: 'cpu',
    fromGib: 0,
    models: { writer: 'llama3.2:3b', auditor: 'llama3.2:3b', coder: 'qwen2.5-coder:1.5b' },
    fallback: 'llama3.2:1b',
    context: 4_096,
  },
  {
    name: '8gb',
    fromGib: 6,
    models: { writer: 'llama3.1:8b', auditor: 'mistral:7b', coder: 'qwen2.5-coder:7b' },
    fallback: 'llama3.2:3b',
    context: 8_192,
  },
  {
    name: '16gb',
    fromGib: 12,
    models: { writer: 'qwen2.5:14b', auditor: 'qwen2.5:14b', coder: 'qwen2.5-coder:14b' },
    fallback: 'llama3.1:8b',
    context: 16_384,
  },
  {
    name: '24gb',
    fromGib: 20,
    models: { writer: 'qwen2.5:32b', auditor: 'qwen2.5:32b', coder: 'qwen2.5-coder:32b' },
    fallback: 'qwen2.5:14b',
    context: 16_384,
  },
  {
    name: '48gb',
    fromGib: 40,
    models: { writer: 'llama3.3:70b', auditor: 'llama3.3:70b', coder: 'qwen2.5-coder:32b' },
    fallback: 'qwen2.5:32b',
    context: 32_768,
  },
]

/** Returns the largest tier that fits. */
export function tierFor(gib: number): Tier {
  return tiers.findLast(({ fromGib }) => gib >= fromGib) ?? (tiers[0] as Tier)
}

/** Returns the local role for a kind of work: `coder` produces, `auditor` judges, `writer` summarises and decides. */
function localRoleOf(work: KindOfWork): LocalRole {
  return work === 'produce' ? 'coder' : work === 'judge' ? 'auditor' : 'writer'
}

function chosenModel(tier: Tier, role: LocalRole, installed: readonly string[]): string | undefined {
  return [tier.models[role], tier.fallback].find((model) => isInstalled(model, installed))
}

/** Whether a model is installed. Ollama gives a model without a tag the tag `latest`. */
export function isInstalled(model: string, installed: readonly string[]): boolean {
  return installed.includes(model.includes(':') ? model : `${model}:latest`)
}
