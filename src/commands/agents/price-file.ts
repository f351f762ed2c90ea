import { readFileSync } from 'node:fs'
import { withoutLabel } from '../../agents/agent.ts'
import { type AgentLabels, findPrice, priceNames } from '../../agents/price-book.ts'
import { checkAgentName } from '../../agents/registry.ts'
import { ModelPrices, PriceFile } from '../../schema/agent/prices.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { didYouMean, nearWord } from '../../text/near-word.ts'
import { readYaml, type YamlFile } from '../../yaml/read-fields.ts'
import { isLater } from '../values/parse-values.ts'

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
    ...Object.fromEntries(Object.keys(ModelPrices.shape).map((field) => [field, inDollars])),
    longContext: 'Write `{ above: TOKENS, input: …, output: … }`.',
    currency: inDollars,
  })
  if (file?.data.date !== undefined && isLater(file.data.date))
    problems.push({
      where: file.where('date'),
      what: 'is in the future',
      fix: 'Write the day on which you read these prices.',
    })
  if (!file || problems.length > 0) throw new UserError(problems)
  return file
}

const inDollars =
  'Prices are US dollars per million tokens, as plain numbers: convert those of other currencies.'

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
  const wrong = [
    ...twoOfRecorded(data.prices, agents, where),
    ...others.flatMap((key) => {
      const meant = [lacking, known].find((names) => nearWord(key, names) !== undefined)
      if (canBeAgent(key, labels) && meant !== lacking && !(matchesNone && meant)) return []
      return [noAgent(where('prices', key), key, meant ?? known)]
    }),
  ]
  if (wrong.length > 0 || !matchesNone) return wrong
  const fix = `Name one of them: ${known.join(', ')}.`
  return [{ where: `--prices ${path}`, what: 'has no price of an agent of this run', fix }]
}

/** A folder of replies and all folders may have two prices of one model, which has one. */
function twoOfRecorded(
  prices: PriceFile['prices'],
  agents: readonly string[],
  where: (...path: PropertyKey[]) => string,
): Problem[] {
  return agents.flatMap((agent) => {
    const [one, other] = priceNames(withoutLabel(agent)).filter((name) => Object.hasOwn(prices, name))
    if (one === undefined || other === undefined) return []
    if (canonicalJson(prices[one]) === canonicalJson(prices[other])) return []
    const what = `differs from the price of "${other}", but both are of the model of ${agent}`
    return [{ where: where('prices', one), what, fix: 'Keep one of them.' }]
  })
}

/** Returns what a price file leaves open: agents of the run without a price, and prices of no agent of it. */
export function priceFileNotes(path: string, { agents, labels, unpriced }: PricedAgents): string[] {
  const { prices } = readPriceFile(path).data
  const known = agents.flatMap((agent) => priceNames(agent, labels))
  const others = Object.keys(prices).filter((key) => !known.includes(key))
  return [
    ...(unpriced.length > 0 ? [`${path} has no price of ${unpriced.join(', ')}: their cost is unknown`] : []),
    ...(others.length > 0 ? [`${path} has prices of no agent of this run: ${others.join(', ')}`] : []),
  ]
}

/** Whether an agent of some run can have this name: a label that is known, or a provider and a model. */
function canBeAgent(key: string, labels: AgentLabels): boolean {
  const plain = withoutLabel(key)
  if (plain === key && Object.hasOwn(labels, key)) return true
  const hasLabel = plain === key || Object.hasOwn(labels, key.slice(0, -plain.length - 1))
  return hasLabel && checkAgentName(plain) === undefined
}

/** Most known names in a message. */
const maxKnown = 8

/** Returns the problem of a price that no agent has. */
export function noAgent(where: string, key: string, known: readonly string[]): Problem {
  const more = known.length > maxKnown ? ` … and ${known.length - maxKnown} more` : ''
  const fix =
    didYouMean(key, known, '"') ??
    `Write the name of an agent: ${known.slice(0, maxKnown).join(', ') || 'PROVIDER:MODEL'}${more}.`
  return { where, what: `is a price, but no agent is "${key}"`, fix }
}
