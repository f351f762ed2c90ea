import type { AgentReply } from './agent.ts'

/** The most characters of a reply with its calls of tools. A model writes a fourth of that at most. */
const longestReply = 4 * 1024 ** 2

/** The failure of a reply that is too long to be read. What it cost is in the bill all the same. */
export const tooLongReply: NonNullable<AgentReply['error']> = {
  reason: 'unparsable',
  message: `the reply has more than ${longestReply} characters, with its calls of tools: nothing of it was read`,
}

/** Whether plain data is longer than a reply may be. It stops there, so that no size of the data takes time. */
export function isTooLong(data: unknown): boolean {
  let left = longestReply
  const open = [data]
  while (open.length > 0) {
    const value = open.pop()
    left--
    if (typeof value === 'string') left -= value.length
    else if (ArrayBuffer.isView(value)) left -= value.byteLength
    else if (Array.isArray(value)) {
      if (value.length > left) return true
      for (const one of value) open.push(one)
    } else if (typeof value === 'object' && value !== null)
      for (const key in value) {
        left -= key.length + 1
        if (left < 0) return true
        open.push((value as Readonly<Record<string, unknown>>)[key])
      }
    if (left < 0) return true
  }
  return false
}
