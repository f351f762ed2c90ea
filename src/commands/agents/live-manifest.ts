import type { Agent } from '../../agents/agent.ts'
import { priceTable } from '../../agents/price-book.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Problem } from '../../text/errors.ts'
import { silentServers } from './answering-servers.ts'
import { hasPrices } from './known-bill.ts'

/** The fields of run.json that describe real models: their endpoints, prices and versions. */
export type LiveManifest = Partial<Pick<RunManifest, 'endpoints' | 'prices' | 'agentVersions'>>

/**
 * Returns the fields of run.json for the live agents of a new run. Adds what agents lack to `lacking`, and a problem for an unused
 * `--prices`. With `isSilent` it asks no server and no program whether it is there.
 */
export async function liveManifest(
  agents: readonly Agent[],
  prices: Pick<RunPrices, 'file' | 'labels'>,
  isTyped: boolean,
  problems: Problem[],
  { lacking, isSilent }: { lacking: Problem[]; isSilent: boolean },
): Promise<LiveManifest> {
  if (!isSilent) lacking.push(...(await missingRequirements(agents)))
  const real = agents.filter(({ name }) => hasPrices(name))
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
    endpoints: Object.fromEntries(
      real.flatMap(({ name, endpoint }) => (endpoint === undefined ? [] : [[name, endpoint]])),
    ),
    prices: { table: priceTable, ...prices },
  }
}

/** Returns what is missing before a trial can ask these agents, without repetitions: keys, programs, models, and servers that answer. */
export async function missingRequirements(agents: readonly Agent[]): Promise<Problem[]> {
  const problems = (await Promise.all(agents.map((agent) => agent.missing?.() ?? []))).flat()
  const own = [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
  return [...own, ...(await silentServers(agents, own))]
}
