/**
 * Returns the final message of a reply that has channels, as gpt-oss and Granite write them: what follows
 * `<|channel|>final<|message|>`, `assistantfinal` where the server has dropped the marks, and `Here is my response:`. Empty if the
 * channels hold no final message. Any other reply is returned as it is.
 */
export function finalChannel(reply: string): string {
  return harmonyFinal(reply) ?? bareFinal(reply) ?? graniteFinal(reply) ?? reply
}

const channelMark = /<\|channel\|>\s?(\w{1,20})[^\n<]{0,200}(?:<\|constrain\|>[^\n<]{0,50})?<\|message\|>/g
const messageEnd = /(?<![`'"])<\|(?:end|return|call|start)\|>/

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
  if (!/^analysis(?=[A-Z"\n])/.test(reply)) return undefined
  const mark = 'assistantfinal'
  const at = reply.lastIndexOf(mark)
  return at < 0 ? undefined : reply.slice(at + mark.length)
}

function graniteFinal(reply: string): string | undefined {
  if (!/^\s*(?:Here is|Here's) my thought process:/i.test(reply)) return undefined
  const last = [...reply.matchAll(/^(?:Here is|Here's) my response:[ \t]*\n?/gim)].at(-1)
  return last && reply.slice(last.index + last[0].length)
}
