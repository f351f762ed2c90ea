import type { Agent } from '../../agents/agent.ts'
import type { Problem } from '../../text/errors.ts'

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
  'Start the server, check the network, or correct baseUrl or the variable that holds its address; see docs/guides/providers.md.'

const whereOf = (names: readonly string[]) => `${names.length > 1 ? 'agents' : 'agent'} ${names.join(', ')}`

/** Returns why nothing answers at an address; undefined if something does. */
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
