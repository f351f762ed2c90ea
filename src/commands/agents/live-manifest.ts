import type { Agent } from '../../agents/agent.ts'
import { isRecorded } from '../../agents/paid-or-simulated.ts'
import { priceTable } from '../../agents/price-book.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Problem } from '../../text/errors.ts'
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
  { isTyped, leftForLive }: { isTyped: boolean; leftForLive: readonly string[] },
  problems: Problem[],
  { lacking, isSilent }: { lacking: Problem[]; isSilent: boolean },
): Promise<LiveManifest> {
  if (!isSilent) lacking.push(...(await missingRequirements(agents)))
  const real = agents.filter(({ name }) => hasPrices(name))
  if (real.length === 0) {
    if (isTyped) problems.push({ where: '--prices', ...unusedPrices(leftForLive) })
    return {}
  }
  const programs = real.flatMap(({ name, version }) => (version ? [{ name, version }] : []))
  const versions = await Promise.all(programs.map(async ({ name, version }) => [name, await version()]))
  return {
    ...(versions.length > 0 && { agentVersions: Object.fromEntries(versions) }),
    endpoints: Object.fromEntries(
      real.flatMap(({ name, endpoint }) => (endpoint === undefined ? [] : [[name, endpoint]])),
    ),
    // No list price is that of a recorded reply: who served the model is unknown.
    prices: { ...(real.every(isRecorded) ? {} : { table: priceTable }), ...prices },
  }
}

const unusedPrices = (leftForLive: readonly string[]) =>
  leftForLive.length > 0
    ? {
        what: `does not apply to any agent of this run: in dev mode simulated agents replace those of the config file (${leftForLive.join(', ')})`,
        fix: 'Add --mode live to ask them, or remove --prices.',
      }
    : {
        what: 'applies only to agents that call a real model or have recorded replies',
        fix: 'Remove it, or choose such an agent: see bench agents.',
      }

/** Returns what is missing before a trial can ask these agents, without repetitions: keys, programs, models, and servers that answer. */
export async function missingRequirements(agents: readonly Agent[]): Promise<Problem[]> {
  const problems = (await Promise.all(agents.map((agent) => agent.missing?.() ?? []))).flat()
  const own = [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
  return [...own, ...(await silentServers(agents, own))]
}

/** How long a server may take to answer before a run, in ms. */
const answerMs = 5_000

/** Answers by address, since a command checks a run more than once. Silence is forgotten: the user may start the server meanwhile. */
const asked = new Map<string, Promise<string | undefined>>()

/**
 * Returns a problem for each address of these agents at which nothing answers. It sends one GET without a key to each; any answer
 * counts, also a refusal. An address that one of the problems in `known` names is left out.
 */
export async function silentServers(agents: readonly Agent[], known: readonly Problem[]): Promise<Problem[]> {
  const addresses = new Map<string, string[]>()
  for (const { name, endpoint } of agents) {
    if (endpoint === undefined || known.some(({ what }) => what.split(/[\s(),;]+/).includes(endpoint)))
      continue
    addresses.set(endpoint, [...(addresses.get(endpoint) ?? []), name])
  }
  const problems = await Promise.all(
    [...addresses].map(async ([address, names]) => {
      const fault = asked.get(address) ?? silence(address)
      asked.set(address, fault)
      const why = await fault
      if (why !== undefined) asked.delete(address)
      return why === undefined
        ? []
        : [{ where: whereOf(names), what: `nothing answers at ${address} (${why})`, fix }]
    }),
  )
  return problems.flat()
}

const fix =
  'Start the server, check the network, or correct baseUrl or the variable that holds its address; see bench help providers.'

const whereOf = (names: readonly string[]) => `${names.length > 1 ? 'agents' : 'agent'} ${names.join(', ')}`

async function silence(address: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(answerMs)
    const response = await fetch(`${address.replace(/\/+$/, '')}/models`, { redirect: 'manual', signal })
    await response.body?.cancel()
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}

/** Returns the code or the message of a failed connection, from its cause. The cause lists errors if the host has several addresses. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: Fault }
  if (name === 'TimeoutError') return `no answer in ${answerMs / 1000} s`
  return cause?.code ?? cause?.errors?.[0]?.code ?? cause?.message ?? message
}

interface Fault {
  code?: string
  message?: string
  errors?: readonly { code?: string }[]
}
