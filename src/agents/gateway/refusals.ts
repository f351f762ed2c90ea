import { mostRefused, type RefusedRequests } from '../../schema/ledger/program-use.ts'
import { shorten } from '../../text/shorten.ts'

/** How the message of a refusal begins. */
export const refusalWords = 'bench does not let this request pass'

/** Counts the requests of one call that the gateway refused, and the tools of the provider that it let pass. */
export interface Refusals {
  add(method: string, path: string, reason: string): void
  /** Records that a request passed, with what it had the provider do. */
  pass(tools: readonly string[]): void
  /** Undefined if none was refused. */
  read(): RefusedRequests | undefined
  /** Why the last request was refused; undefined if it passed. */
  last(): string | undefined
  /** What passed that the provider runs; undefined if nothing did. */
  tools(): string[] | undefined
}

const longest = { method: 20, path: 200, reason: 300, tool: 100 }
const mostTools = 20

/** Returns the count of one call, at zero. */
export function createRefusals(): Refusals {
  const requests = new Map<string, RefusedRequests['requests'][number]>()
  const passed = new Set<string>()
  let total = 0
  let last: string | undefined
  return {
    add(method, path, reason) {
      total++
      last = reason
      const one = {
        method: shorten(method, longest.method),
        path: shorten(path, longest.path),
        reason: shorten(reason, longest.reason),
      }
      const key = JSON.stringify(one)
      const known = requests.get(key)
      if (known) known.times++
      else if (requests.size < mostRefused) requests.set(key, { ...one, times: 1 })
    },
    pass(tools) {
      last = undefined
      for (const tool of tools) if (passed.size < mostTools) passed.add(shorten(tool, longest.tool))
    },
    read: () => (total === 0 ? undefined : { total, requests: [...requests.values()] }),
    last: () => last,
    tools: () => (passed.size === 0 ? undefined : [...passed].sort()),
  }
}
