import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Message } from '@ai-sdk/provider'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { Agent, AgentRequest } from '../agent.ts'
import { conversationOf, type Message } from '../conversation.ts'
import { loadPriceBook } from '../price-book.ts'
import { publicAddress } from './address.ts'
import { askOnce } from './ask-once.ts'
import { callModel } from './call-model.ts'
import { accountOf, type EndpointSettings, endpointOf } from './endpoint.ts'
import type { Family } from './family.ts'
import { messageCleaner } from './safe-message.ts'
import { toolOptions, transcriptOf } from './tools/transcript.ts'

/** What an agent over HTTP uses. */
interface HttpEnvironment {
  /** Id of the run, which makes the prompts of equal trials of two runs differ. */
  run: string
  settings?: EndpointSettings | undefined
  prices?: PriceFile | undefined
}

/** Creates an agent that calls a vendor's model over HTTP, once per attempt. Retries are the caller's. */
export function createHttpAgent(
  family: Family,
  model: string,
  { run, settings, prices }: HttpEnvironment,
): Agent {
  const name = `${family.name}:${model}`
  const place = endpointOf(family, settings)
  const { baseUrl, key, keyVariable, problems } = place
  const endpoint = baseUrl && publicAddress(baseUrl)
  const priced = { agent: name, model, billedBy: family.billedBy, endpoint }
  const clean = messageCleaner(keyVariable, key)
  let loaded: Promise<LanguageModelV3> | undefined
  const load = () => {
    loaded ??= family.load({ model, baseUrl: baseUrl ?? '', key })
    return loaded
  }
  return {
    name,
    paid: true,
    simulated: false,
    tools: 'called',
    ...(endpoint && { endpoint }),
    account: accountOf(family, place, settings),
    missing: async () => problems,
    async prepare() {
      await Promise.all([load(), loadPriceBook(prices)])
    },
    async ask(request, signal) {
      signal.throwIfAborted()
      const [problem] = problems
      if (problem)
        return {
          text: '',
          tokens: { input: null, output: null, cached: null },
          costUsd: null,
          durationMs: 0,
          error: { reason: 'key', message: `${problem.what}. ${problem.fix}` },
        }
      const loaded = await load()
      const call = (either: AbortSignal) => callModel(loaded, callOptions(family, request, run, either))
      return askOnce({ request, signal, call, priced, prices, clean })
    },
  }
}

/**
 * Returns the request as model objects take it. Every family gets the same: texts, the output limit and the tools if the ask has
 * them. It sets no temperature, seed or structured output; the prompt describes the shape. So vendors differ only by
 * their models.
 */
function callOptions(
  family: Pick<Family, 'options' | 'cacheMark' | 'strictTools'>,
  request: AgentRequest,
  run: string,
  abortSignal: AbortSignal,
): LanguageModelV3CallOptions {
  const { options, cacheMark } = family
  const { session, tools, maxOutput } = request
  const asked = conversationOf(request, run).map(messageOf)
  const prompt = tools ? [...asked, ...transcriptOf(tools)] : asked
  const last = prompt.at(-1)
  // The next turn of a conversation, or of an ask with tools, sends all of it again.
  if ((session !== undefined || tools) && cacheMark && last) last.providerOptions = cacheMark
  return {
    prompt,
    ...(maxOutput !== undefined && { maxOutputTokens: maxOutput }),
    ...(tools && toolOptions(tools, family)),
    ...(options && { providerOptions: options }),
    abortSignal,
  }
}

function messageOf({ role, text }: Message): LanguageModelV3Message {
  return role === 'system' ? { role, content: text } : { role, content: [{ type: 'text', text }] }
}
