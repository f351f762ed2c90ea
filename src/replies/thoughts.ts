import { finalChannel } from './channels.ts'
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
