import type { Exchange } from './exchange.ts'

/** So many equal requests with a whole reply in place of a stream show that the program cannot use it. */
const mostEqual = 3

/** Returns the exchanges in which a program asks again and again for the stream of a reply that it gets whole. */
export function repeatedInVain(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const unstreamed = new Map<string, Exchange[]>()
  for (const exchange of exchanges) {
    const { request, end } = exchange
    if (!request?.asksStream || end.kind !== 'read' || !end.reply.isWhole) continue
    const equal = unstreamed.get(request.hash) ?? []
    equal.push(exchange)
    unstreamed.set(request.hash, equal)
  }
  return new Set([...unstreamed.values()].filter(({ length }) => length >= mostEqual).flat())
}
