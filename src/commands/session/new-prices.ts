import { type Agent, withoutLabel } from '../../agents/agent.ts'
import { pricesOfAgents } from '../../agents/price-book.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import {
  agentLabels,
  configPriceProblems,
  configPrices,
  hasUnmatchedPrice,
  userPrices,
} from '../agents/agent-prices.ts'
import { agentsOfDocuments } from '../agents/document-agents.ts'
import { hasPrices, knownBill } from '../agents/known-bill.ts'
import { priceFileNotes, priceFileProblems } from '../agents/price-file.ts'
import type { ConfigFile } from '../config/config-file.ts'
import type { MergedOptions } from '../config/merge-options.ts'

interface PricedRun {
  given: MergedOptions
  mode: RunManifest['mode']
}

/** Returns the user's prices of the agents of a new run. Adds a problem for each price of the config file that matches no agent. */
export async function selectPrices(
  namesByRole: Readonly<Record<string, string>>,
  { given: { options, config }, mode }: PricedRun,
  problems: Problem[],
): Promise<Pick<RunPrices, 'file' | 'labels'>> {
  const names = [...new Set(Object.values(namesByRole))]
  // Simulated agents have no price, and they may stand for those of the file.
  if (config && (mode === 'live' || names.some(hasPrices)))
    problems.push(...(await unmatchedPrices(config, names)))
  const all = userPrices(options.prices, configPrices(config?.config))
  const labels = agentLabels(config?.config)
  const file = pricesOfAgents(all, names, labels)
  const hidden = Object.entries(labels).filter(
    ([, name]) => names.includes(name) && withoutLabel(name) === name,
  )
  return {
    ...(file && { file }),
    ...(hidden.length > 0 && { labels: Object.fromEntries(hidden) }),
  }
}

async function unmatchedPrices(file: ConfigFile, names: readonly string[]): Promise<Problem[]> {
  if (!hasUnmatchedPrice(file.config, names)) return []
  // Documents of methods that this run leaves out may name further agents.
  const ofDocuments = await documentAgentsOrNone(file)
  return configPriceProblems(file, [...names, ...ofDocuments])
}

/** Returns the agents of a config file's documents; none if a document cannot be read, which the run reports if it needs it. */
async function documentAgentsOrNone(file: ConfigFile): Promise<string[]> {
  try {
    return (await agentsOfDocuments(file)).map(({ name }) => name)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return []
  }
}

/** Returns what the file of `--prices` leaves open, if the run has agents that it can be for. Adds its problems. */
export async function checkPriceFile(
  created: ReadonlyMap<string, Agent>,
  { given: { options, config } }: Pick<PricedRun, 'given'>,
  { file }: Pick<RunPrices, 'file'>,
  problems: Problem[],
): Promise<string[]> {
  const agents = [...created.values()].filter(({ name }) => hasPrices(name))
  if (options.prices === undefined || agents.length === 0) return []
  const bills = await Promise.all(agents.map((agent) => knownBill(agent, file)))
  const priced = {
    agents: agents.map(({ name }) => name),
    labels: agentLabels(config?.config),
    unpriced: bills.flatMap(({ agent, isPriced }) => (isPriced ? [] : [agent])),
  }
  const wrong = priceFileProblems(options.prices, priced)
  problems.push(...wrong)
  return wrong.length > 0 ? [] : priceFileNotes(options.prices, priced)
}
