import type {
  JSONSchema7,
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { Agent, AgentRequest } from '../agent.ts'
import { conversationOf, type Message } from '../conversation.ts'
import type { AskedOfModel } from '../model-settings.ts'
import { loadPriceBook } from '../price-book.ts'
import { billerAt } from '../vendor.ts'
import { loadPatientFetch } from '../wire/patient-fetch.ts'
import { newWireReply, type WireReply, watchReply } from '../wire/watch-reply.ts'
import { messageCleaner, onSameServer, publicAddress } from './address.ts'
import { askOnce, nothingSent } from './ask-once.ts'
import { callModel } from './call-model.ts'
import { accountOf, type EndpointSettings, endpointOf } from './endpoint.ts'
import type { Family } from './family.ts'
import { droppedSettings, type ModelOptions, modelOptions } from './model-options.ts'
import { type NativeFormat, nativeFormatOf } from './native-format.ts'
import { toolOptions, transcriptOf } from './tool-turn.ts'

interface HttpEnvironment {
  /** Id of the run, which makes the prompts of equal trials of two runs differ. */
  run: string
  settings?: EndpointSettings | undefined
  prices?: PriceFile | undefined
  asked?: AskedOfModel | undefined
  /** Programs that ask its model themselves may use what the provider runs. */
  providerTools?: boolean | undefined
}

/** Creates an agent that calls a vendor's model over HTTP, once per attempt. Retries are the caller's. */
export function createHttpAgent(
  family: Family,
  model: string,
  { run, settings, prices, asked, providerTools = false }: HttpEnvironment,
): Agent {
  const name = `${family.name}:${model}`
  const place = endpointOf(family, settings)
  const { baseUrl, key, keyVariable, problems } = place
  const endpoint = baseUrl && publicAddress(baseUrl)
  const priced = { agent: name, model, billedBy: billerAt(family, endpoint), endpoint }
  const clean = messageCleaner(keyVariable, key)
  const load = async (wire: WireReply) => {
    const fetch = watchReply(onSameServer(await loadPatientFetch()), wire)
    return family.load({ model, baseUrl: baseUrl ?? '', key, fetch })
  }
  const set = modelOptions(family, asked?.setting)
  return {
    name,
    paid: true,
    simulated: false,
    tools: 'called',
    ...(endpoint && { endpoint }),
    upstream: {
      wires: family.wires,
      model,
      baseUrl,
      key: () => key,
      providerTools,
      async loadPrices() {
        const book = await loadPriceBook(prices)
        return (tokens, answered, reported) => book.bill({ ...priced, answered }, tokens, reported)
      },
    },
    account: accountOf(family, place, settings),
    missing: async () => [...problems, ...(asked ? await droppedSettings(family, model, asked) : [])],
    async prepare() {
      await Promise.all([load(newWireReply()), loadPriceBook(prices)])
    },
    async ask(request, signal) {
      signal.throwIfAborted()
      const [problem] = problems
      if (problem)
        return {
          text: '',
          ...nothingSent,
          durationMs: 0,
          error: { reason: 'key', message: `${problem.what}. ${problem.fix}` },
        }
      const wire = newWireReply()
      const loaded = await load(wire)
      const call = (either: AbortSignal) =>
        callModel(loaded, callOptions({ ...family, ...set }, request, run, either), wire)
      return askOnce({ request, signal, call, priced, prices, clean })
    },
  }
}

/**
 * Returns the request as model objects take it. Every family gets the same: texts, the output limit and the tools if the ask has
 * them, and what the agent's settings name: without settings no temperature, no seed and no structured output (the prompt describes
 * the shape anyway), so vendors differ only by their models.
 */
function callOptions(
  family: ModelOptions & Pick<Family, 'cacheMark' | 'strictTools' | 'strictName'>,
  request: AgentRequest,
  run: string,
  abortSignal: AbortSignal,
): LanguageModelV3CallOptions {
  const { options, cacheMark, temperature, seed } = family
  const { session, tools, maxOutput } = request
  const asked = conversationOf(request, run).map(messageOf)
  const prompt = tools ? [...asked, ...transcriptOf(tools)] : asked
  const last = prompt.at(-1)
  // The next turn of a conversation, or of an ask with tools, sends all of it again.
  if ((session !== undefined || tools) && cacheMark && last) last.providerOptions = cacheMark
  const native = nativeFormatOf(request)
  return {
    prompt,
    ...(maxOutput !== undefined && { maxOutputTokens: maxOutput }),
    ...(temperature !== undefined && { temperature }),
    ...(seed !== undefined && { seed }),
    ...(tools && toolOptions(tools, family)),
    ...(native && { responseFormat: { type: 'json', name: 'reply', schema: native.schema as JSONSchema7 } }),
    ...((options ?? native) && { providerOptions: providerOptions(family, native) }),
    abortSignal,
  }
}

function providerOptions(
  { options, strictName }: Pick<Family, 'options' | 'strictName'>,
  native: NativeFormat | undefined,
): SharedV3ProviderOptions {
  if (!native || !strictName) return options ?? {}
  return { ...options, [strictName]: { ...options?.[strictName], strictJsonSchema: native.isStrict } }
}

function messageOf({ role, text }: Message): LanguageModelV3Message {
  return role === 'system' ? { role, content: text } : { role, content: [{ type: 'text', text }] }
}
