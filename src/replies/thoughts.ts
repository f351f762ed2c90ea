import { scanReply } from './scan.ts'

/**
 * Returns a reply without the thoughts that some servers leave in it: from `<think>` to `</think>`, up to a `</think>` that was never
 * opened, and from a `<think>` that is never closed; so with the marks and channels of other models. Marks in code and in data of the
 * answer stay. A reply without thoughts comes back as it is. The ledger keeps the whole reply.
 */
export function withoutThoughts(reply: string): string {
  const text = finalChannel(reply)
  let rest = ''
  let from = 0
  const add = (end: number) => {
    const part = text.slice(from, end)
    // A fence before thoughts still ends its line.
    rest += /[`~]{3}[ \t]*$/.test(rest.slice(-100)) && /^\S/.test(part) ? `\n${part}` : part
  }
  for (const { kind, start, end } of scanReply(text).regions) {
    if (kind !== 'thoughts') continue
    add(start)
    from = end
  }
  if (from === 0) return text
  add(text.length)
  // The answer keeps its own indentation.
  return rest.replace(/^(?:[ \t]*\n)+/, '')
}

// A mark in quotes or in a span of code is text. A fence before it is no tick.
const unquoted = '(?<!(?<!``)`|[\'"])'
const channelMark = new RegExp(
  `${unquoted}<\\|channel\\|>\\s?(\\w{1,20})[^\\n<]{0,200}(?:<\\|constrain\\|>[^\\n<]{0,50})?<\\|message\\|>`,
  'g',
)
const messageEnd = new RegExp(`${unquoted}<\\|(?:end|return|call|start)\\|>`)
const bareFinalMark = new RegExp(`${unquoted}assistantfinal(?!['"]|\`(?!\`\`))`, 'g')

/**
 * Returns the final message of a reply that has channels, as gpt-oss and Granite write them: what follows
 * `<|channel|>final<|message|>`, `assistantfinal` where the server has dropped the marks, and `Here is my response:`. Empty if the
 * channels hold no final message. Any other reply is returned as it is.
 */
function finalChannel(reply: string): string {
  if (/^\s*(?:<\|start\|>assistant\s*)?<\|channel\|>/.test(reply)) {
    const finals = [...reply.matchAll(channelMark)].flatMap((mark, i, marks) => {
      const message = reply.slice(mark.index + mark[0].length, marks[i + 1]?.index)
      return mark[1] === 'final' ? [message.split(messageEnd, 1)[0]] : []
    })
    return finals.join('\n')
  }
  const last = /^analysis(?=[A-Z"\n`~ ])/.test(reply) ? [...reply.matchAll(bareFinalMark)].at(-1) : undefined
  return last ? reply.slice(last.index + last[0].length) : graniteFinal(reply)
}

function graniteFinal(reply: string): string {
  let rest = reply
  while (/^\s*(?:Here is|Here's) my thought process:/i.test(rest)) {
    const first = /^(?:[`~]{3,}[ \t]*)?(?:Here is|Here's) my response:[ \t]*\n?/im.exec(rest)
    if (first === null) return rest
    rest = rest.slice(first.index + first[0].length)
  }
  return rest
}
