/**
 * Returns the final message of a reply that has channels, as gpt-oss and Granite write them: what follows
 * `<|channel|>final<|message|>`, `assistantfinal` where the server has dropped the marks, and `Here is my response:`. Empty if the
 * channels hold no final message. Any other reply is returned as it is.
 */
export function finalChannel(reply: string): string {
  return harmonyFinal(reply) ?? bareFinal(reply) ?? graniteFinal(reply) ?? reply
}

// A mark in quotes or in a span of code is text. A fence before it is no tick.
const unquoted = '(?<!(?<!``)`|[\'"])'
const channelMark = new RegExp(
  `${unquoted}<\\|channel\\|>\\s?(\\w{1,20})[^\\n<]{0,200}(?:<\\|constrain\\|>[^\\n<]{0,50})?<\\|message\\|>`,
  'g',
)
const messageEnd = new RegExp(`${unquoted}<\\|(?:end|return|call|start)\\|>`)
const bareFinalMark = new RegExp(`${unquoted}assistantfinal(?!['"]|\`(?!\`\`))`, 'g')

function harmonyFinal(reply: string): string | undefined {
  if (!/^\s*(?:<\|start\|>assistant\s*)?<\|channel\|>/.test(reply)) return undefined
  const marks = [...reply.matchAll(channelMark)]
  const messages = marks.map((mark, i) => {
    const content = reply.slice(mark.index + mark[0].length, marks[i + 1]?.index)
    return { channel: mark[1], text: content.split(messageEnd, 1)[0] as string }
  })
  return messages
    .filter(({ channel }) => channel === 'final')
    .map(({ text }) => text)
    .join('\n')
}

/** Some servers drop the marks and leave the words between them. */
function bareFinal(reply: string): string | undefined {
  if (!/^analysis(?=[A-Z"\n`~ ])/.test(reply)) return undefined
  const last = [...reply.matchAll(bareFinalMark)].at(-1)
  return last && reply.slice(last.index + last[0].length)
}

function graniteFinal(reply: string): string | undefined {
  if (!/^\s*(?:Here is|Here's) my thought process:/i.test(reply)) return undefined
  const first = /^(?:[`~]{3,}[ \t]*)?(?:Here is|Here's) my response:[ \t]*\n?/im.exec(reply)
  const rest = first === null ? undefined : reply.slice(first.index + first[0].length)
  return rest && (graniteFinal(rest) ?? rest)
}
