import type { LanguageModelV3 } from '@ai-sdk/provider'
import type { PriceFile } from '../../schema/prices.ts'
import type { Agent } from '../agent.ts'
import { loadPriceBook } from '../prices/price-book.ts'
import { pricedModel } from '../prices/priced-model.ts'
import { askOnce } from './ask-once.ts'
import { callOptions } from './call-options.ts'
import { accountOf, type EndpointSettings, endpointOf, publicAddress } from './endpoint.ts'
import type { Family } from './family.ts'
import { listen } from './listen.ts'
import { messageCleaner } from './safe-message.ts'

/** What agents over HTTP lean on. */
interface HttpEnvironment {
  /** Id of the run: prompts of equal trials of two runs begin differently. */
  run: string
  settings?: EndpointSettings | undefined
  prices?: PriceFile | undefined
}

/** An agent that asks a vendor's model over HTTP, once for each attempt: retries are the door's. */
export function createHttpAgent(
  family: Family,
  model: string,
  { run, settings, prices }: HttpEnvironment,
): Agent {
  const name = `${family.name}:${model}`
  const place = endpointOf(family, settings)
  const { baseUrl, key, keyVariable, problems } = place
  const endpoint = baseUrl && publicAddress(baseUrl)
  const priced = pricedModel(name, undefined, endpoint)
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
      const call = (either: AbortSignal) => listen(loaded, callOptions(family, request, run, either))
      return askOnce({ request, signal, call, priced, prices, clean })
    },
  }
}
