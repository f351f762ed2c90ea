import { scanReply } from './scan.ts'

/**
 * Returns a reply without the thoughts that some servers leave in it: from `<think>` to `</think>`, up to a `</think>` that was never
 * opened, and from a `<think>` that is never closed; so with the marks and channels of other models. Marks in code and in data of the
 * answer stay. A reply without thoughts comes back as it is. The ledger keeps the whole reply.
 */
export function withoutThoughts(reply: string): string {
  let rest = ''
  let from = 0
  const add = (end: number) => {
    const part = reply.slice(from, end)
    // A fence before thoughts still ends its line, and so does the message of a channel.
    const isGlued =
      rest !== '' &&
      (/[`~]{3}[ \t]*$/.test(rest) ? /^\S/.test(part) : channel.test(reply.slice(from - 30, from)))
    rest += isGlued ? `\n${part}` : part
  }
  for (const { kind, start, end } of scanReply(reply).regions) {
    if (kind !== 'thoughts') continue
    add(start)
    from = end
  }
  add(reply.length)
  // The answer keeps its own indentation.
  return from === 0 ? reply : rest.replace(/^(?:[ \t]*\n)+/, '')
}

const channel = /<\|message\|>$/
