import { pricedModel } from '../../agents/context-window.ts'
import { loadPriceBook } from '../../agents/price-book.ts'
import { isSimulatedName, profileOfModel } from '../../agents/simulated/load-profile.ts'
import { modelOfAgent } from '../../schema/agent/other-model.ts'
import { Profile } from '../../schema/agent/profile.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { nearWord } from '../../text/near-word.ts'
import { hasPrices } from '../agents/known-bill.ts'
import { agentNamesByRole } from '../agents/make-agents.ts'

/** What an agent's tokens cost, and where that is from. */
export interface AgentPrice {
  agent: string
  /** US dollars per million tokens; null if unknown. */
  input: number | null
  output: number | null
  /** The price table with version and day, the user's own prices, or the profile of a simulation; for an unknown price, what is wrong. */
  from: string
}

/** Tokens for which no long-context price holds. */
const fewTokens = 1000

/** Returns the prices that the bill of a run's agents uses, without agents that are neither paid nor simulated. */
export async function agentPriceList(manifest: RunManifest): Promise<AgentPrice[]> {
  const names = [...new Set(Object.values(agentNamesByRole(manifest)))].sort()
  const book = await loadPriceBook(manifest.prices?.file)
  return names.flatMap((agent): AgentPrice[] => {
    if (isSimulatedName(agent)) return [profilePrice(agent, manifest)].flat()
    if (!hasPrices(agent)) return []
    const priced = pricedModel(agent, undefined, manifest.endpoints?.[agent])
    const billOf = (input: number, output: number) =>
      book.bill(priced, { input, output, reasoning: 0, cached: null })
    // Rounding leaves no digits of floating-point sums.
    const perMillion = (usd: number | null) =>
      usd === null ? null : Number(((usd / fewTokens) * 1e6).toPrecision(9))
    const input = billOf(fewTokens, 0)
    const output = billOf(0, fewTokens)
    const from =
      input.costUsd === null
        ? noPriceText(priced.model, book.models(priced))
        : input.costSource === 'file'
          ? 'your own prices'
          : tableText(manifest)
    return [{ agent, input: perMillion(input.costUsd), output: perMillion(output.costUsd), from }]
  })
}

/** Returns a function that prices a simulated call as one of another model of the profile; undefined for other agents. */
export async function simulatedCosts(manifest: RunManifest) {
  const prices = (await agentPriceList(manifest)).filter(({ agent }) => isSimulatedName(agent))
  return (
    { simulated, agent: asked, tokens: { input, output } }: AskStep,
    agent: string,
  ): number | undefined => {
    const price = agent === asked || !simulated ? undefined : prices.find((one) => one.agent === agent)
    return price && ((input ?? 0) * (price.input ?? 0) + (output ?? 0) * (price.output ?? 0)) / 1e6
  }
}

function profilePrice(agent: string, { profile }: RunManifest): AgentPrice[] {
  const { data } = Profile.safeParse(profile?.content, { jitless: true })
  if (!data) return []
  const { input, output } = profileOfModel(data, modelOfAgent(agent)).price
  return [{ agent, input, output, from: `profile ${data.id}` }]
}

function tableText({ prices }: RunManifest): string {
  if (!prices?.table) return ''
  const { name, version, date } = prices.table
  return `${name} ${version} of ${date}`
}

/** Says that a model has no price, and which model with a price has a similar name. */
export function noPriceText(model: string, known: readonly string[]): string {
  const near = nearWord(model, known)
  return `no price for ${model}${near === undefined ? '' : `; did you mean ${near}?`}`
}
