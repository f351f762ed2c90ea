import { createBareCodeReader, createDataReader, createFenceReader } from './quoted-marks.ts'
import { findThoughtMarks, type ThoughtMark } from './thought-marks.ts'

/**
 * Returns a reply without the thoughts that some servers leave in it: from `<think>` to `</think>`, up to a `</think>` that was never
 * opened, and from a `<think>` that is never closed; so with the marks of other models. Marks in code and in data of the answer
 * stay. A reply without thoughts comes back as it is. The ledger keeps the whole reply.
 */
export function withoutThoughts(reply: string): string {
  const text = finalChannel(reply)
  const marks = findThoughtMarks(text)
  return marks.length === 0 ? text : cutThoughts(text, marks)
}

/** What is kept so far. */
interface Kept {
  parts: string[]
  /** Number of parts before the last thoughts. */
  before: number
  /** Marks within the last thoughts that opened further ones. */
  open: number
}

function cutThoughts(text: string, marks: readonly ThoughtMark[]): string {
  const closings = closingsOf(marks)
  const readers = [createFenceReader(text, marks), createBareCodeReader(text), createDataReader(text)]
  const kept: Kept = { parts: [], before: 0, open: 0 }
  let from = 0
  for (let i = 0; i < marks.length; i++) {
    const mark = marks[i] as ThoughtMark
    const isLast = mark.opens && closings[i] === undefined
    const isRead = mark.opens ? (isLast ? mark.beginsLine : mark.stands) : mark.stands || kept.open > 0
    // Each reader must see each mark.
    const isText = readers.map((isIn) => isIn(mark, from)).includes(true)
    if (isText || !isRead) continue
    if (mark.opens) {
      kept.parts.push(text.slice(from, mark.start))
      if (isLast) return answerOf(kept)
      kept.before = kept.parts.length
      const closing = closings[i] as number
      kept.open = marks.slice(i + 1, closing).filter(({ name, opens }) => opens && name === mark.name).length
      i = closing
    } else {
      // The start was in the prompt, or these thoughts held further ones: all up to here was thought.
      kept.parts.length = kept.open > 0 ? kept.before : 0
      kept.before = kept.parts.length
      kept.open = Math.max(0, kept.open - 1)
    }
    from = (marks[i] as ThoughtMark).end
  }
  kept.parts.push(text.slice(from))
  return from === 0 ? text : answerOf(kept)
}

/** Removes the lines before the answer that hold nothing; its own indentation stays. A fence before thoughts still ends its line. */
const answerOf = ({ parts }: Kept) =>
  parts
    .map((part, i) =>
      i > 0 && /[`~]{3}[ \t]*$/.test(parts[i - 1] ?? '') && /^\S/.test(part) ? `\n${part}` : part,
    )
    .join('')
    .replace(/^(?:[ \t]*\n)+/, '')

/** Returns, for each mark that opens, the index of the mark that closes it: the next of its name, else the next of any. */
function closingsOf(marks: readonly ThoughtMark[]): (number | undefined)[] {
  const next = new Map<string, number>()
  let nearest: number | undefined
  const closings = new Array<number | undefined>(marks.length)
  for (let i = marks.length - 1; i >= 0; i--) {
    const { name, opens } = marks[i] as ThoughtMark
    if (opens) closings[i] = next.get(name) ?? nearest
    else {
      next.set(name, i)
      nearest = i
    }
  }
  return closings
}

/**
 * Returns the final message of a reply that has channels, as gpt-oss and Granite write them: what follows
 * `<|channel|>final<|message|>`, `assistantfinal` where the server has dropped the marks, and `Here is my response:`. Empty if the
 * channels hold no final message. Any other reply is returned as it is.
 */
function finalChannel(reply: string): string {
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
