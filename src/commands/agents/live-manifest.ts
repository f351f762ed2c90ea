import { readFileSync } from 'node:fs'
import type { Agent } from '../../agents/agent.ts'
import { priceTable } from '../../agents/price-book.ts'
import { PriceFile } from '../../schema/agent/prices.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { readYaml } from '../../yaml/read-yaml.ts'
import { silentServers } from './answering-servers.ts'

/** The fields of run.json that describe real models: their endpoints, prices and versions. */
export type LiveManifest = Partial<Pick<RunManifest, 'endpoints' | 'prices' | 'agentVersions'>>

/** Returns the user's prices: those of the file at `path` override `others`. Undefined if there are none. Throws `UserError`. */
export function userPrices(
  path: string | undefined,
  others: PriceFile['prices'] = {},
): PriceFile | undefined {
  const prices = { ...others, ...(path === undefined ? {} : readPriceFile(path).prices) }
  return Object.keys(prices).length > 0 ? { prices } : undefined
}

/** Returns the fields of run.json for the live agents of a new run. Adds a problem for each missing requirement and for an unused `--prices`. */
export async function liveManifest(
  agents: readonly Agent[],
  file: PriceFile | undefined,
  isTyped: boolean,
  problems: Problem[],
): Promise<LiveManifest> {
  problems.push(...(await missingRequirements(agents)))
  const real = agents.filter(({ endpoint }) => endpoint !== undefined)
  if (real.length === 0) {
    if (isTyped)
      problems.push({
        where: '--prices',
        what: 'applies only to agents that call a real model',
        fix: 'Remove it, or choose such an agent: see bench agents.',
      })
    return {}
  }
  const programs = real.flatMap(({ name, version }) => (version ? [{ name, version }] : []))
  const versions = await Promise.all(programs.map(async ({ name, version }) => [name, await version()]))
  return {
    ...(versions.length > 0 && { agentVersions: Object.fromEntries(versions) }),
    endpoints: Object.fromEntries(real.map(({ name, endpoint }) => [name, endpoint as string])),
    prices: { table: priceTable, ...(file && { file }) },
  }
}

/** Returns what is missing before a trial can ask these agents, without repetitions: keys, programs, models, and servers that answer. */
export async function missingRequirements(agents: readonly Agent[]): Promise<Problem[]> {
  const problems = (await Promise.all(agents.map((agent) => agent.missing?.() ?? []))).flat()
  const own = [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
  return [...own, ...(await silentServers(agents, own))]
}

/** Reads a YAML file of prices. Throws `UserError` with all of its problems. */
export function readPriceFile(path: string): PriceFile {
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
  return file.data
}
