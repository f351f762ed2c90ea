import { readFileSync } from 'node:fs'
import { withoutLabel } from '../../agents/agent.ts'
import { type AgentLabels, findPrice, priceNames } from '../../agents/price-book.ts'
import { checkAgentName } from '../../agents/registry.ts'
import { PriceFile } from '../../schema/agent/prices.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { nearWord } from '../../text/near-word.ts'
import { readYaml, type YamlFile } from '../../yaml/read-fields.ts'
import { noAgent } from './agent-prices.ts'

/** Returns the user's prices: those of the file at `path` override `others`. Undefined without prices. Throws `UserError`. */
export function userPrices(
  path: string | undefined,
  others: PriceFile['prices'] = {},
): PriceFile | undefined {
  const prices = { ...others, ...(path === undefined ? {} : readPriceFile(path).data.prices) }
  return Object.keys(prices).length > 0 ? { prices } : undefined
}

/** Reads a YAML file of prices. Throws `UserError` with all of its problems. */
export function readPriceFile(path: string): YamlFile<PriceFile> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const what = `cannot be read: ${(error as Error).message}`
    throw new UserError({ where: `--prices ${path}`, what, fix: 'Name a YAML file of prices.' })
  }
  const problems: Problem[] = []
  const file = readYaml(text, path, PriceFile, problems, {
    prices: 'List agents and their prices under it.',
  })
  if (!file) throw new UserError(problems)
  return file
}

/** The agents that a price file is for. */
interface PricedAgents {
  /** Their names in records. */
  agents: readonly string[]
  /** All labels of the config file or of the run. */
  labels: AgentLabels
  /** Those without any price, the user's other prices and the table's included. */
  unpriced: readonly string[]
}

/**
 * Returns the problems of a price file. Several runs may share one, so it may hold prices of other agents. A problem is a key that
 * cannot be an agent, a key that is nearly the name of an agent without a price, and a file that matches no agent at all.
 */
export function priceFileProblems(path: string, { agents, labels, unpriced }: PricedAgents): Problem[] {
  const { data, where } = readPriceFile(path)
  const namesOf = (some: readonly string[]) => some.flatMap((agent) => priceNames(agent, labels))
  const known = namesOf(agents)
  const keys = Object.keys(data.prices)
  const others = keys.filter((key) => !known.includes(key))
  const matchesNone = others.length === keys.length
  const lacking = namesOf(unpriced.filter((agent) => !findPrice(data.prices, agent, labels)))
  const wrong = others.flatMap((key) => {
    const meant = [lacking, known].find((names) => nearWord(key, names) !== undefined)
    if (canBeAgent(key, labels) && meant !== lacking && !(matchesNone && meant)) return []
    return [noAgent(where('prices', key), key, meant ?? known)]
  })
  if (wrong.length > 0 || !matchesNone) return wrong
  const fix = `Name one of them: ${known.join(', ')}.`
  return [{ where: `--prices ${path}`, what: 'has no price of an agent of this run', fix }]
}

/** Whether an agent of some run can have this name: a label that is known, or a provider and a model. */
function canBeAgent(key: string, labels: AgentLabels): boolean {
  const plain = withoutLabel(key)
  if (plain === key && Object.hasOwn(labels, key)) return true
  const hasLabel = plain === key || Object.hasOwn(labels, key.slice(0, -plain.length - 1))
  return hasLabel && checkAgentName(plain) === undefined
}
