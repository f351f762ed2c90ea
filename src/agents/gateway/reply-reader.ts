import type { Finish } from '../../schema/ledger/step.ts'
import { createEventSplitter, type StreamEvent } from '../wire/event-stream.ts'
import { finishIn } from '../wire/finish-in.ts'
import { type Json, parseJson } from '../wire/json.ts'
import { newObservedReply, type ObservedReply, observePart } from '../wire/observe-reply.ts'

/** A model's reply. */
export type ReadReply = ObservedReply & {
  /** Why it ended; undefined if it does not tell. */
  finish?: Finish | undefined
  /** It came as one JSON text, not as a stream. */
  isWhole?: boolean
  /** Characters that are its form and no text of a model: what stands around the texts of the parts that could be read. */
  form: number
}

/** Called with a part of a reply: the whole of it, or one event of a stream. */
export type OnPart = (part: unknown) => void

/** Reads a reply piece by piece. Whatever a server sends, it does not throw: what cannot be read makes the reply `unreadable`. */
interface ReplyReader {
  reply: ReadReply
  add(piece: string): void
  /** Reads what is left at the end of a reply that did not break off. */
  end(): void
  /** Whether the reply is a stream of events; false as long as that is unknown. */
  isStream(): boolean
}

/** Maximum length of a reply that is not a stream, in characters. A longer one is not a model's and would fill memory. */
const longestText = 32 * 1024 * 1024

/**
 * Returns a reader of a reply with a type. With `mayBeUntyped`, the first characters say what the reply is, if its type does not. `onPart`
 * gets each part that could be read.
 */
export function createReplyReader(type: string, mayBeUntyped: boolean, onPart?: OnPart): ReplyReader {
  const reply: ReadReply = { ...newObservedReply(), form: 0 }
  let head = ''
  let form = formOfType(type, mayBeUntyped)
  let text = createText(reply, form, onPart)
  const guarded = (read: () => void) => {
    try {
      read()
    } catch {
      reply.unreadable = true
    }
  }
  const add = (piece: string) => {
    if (form !== undefined) return text.add(piece)
    head = `${head}${piece}`.trimStart()
    form = formOfHead(head, type)
    if (form === undefined) return
    text = createText(reply, form, onPart)
    text.add(head)
    head = ''
  }
  return {
    reply,
    isStream: () => form === 'stream',
    add: (piece) => guarded(() => add(piece)),
    end: () =>
      guarded(() => {
        if (form === undefined && type.includes('json')) takePart(reply, head, { onPart })
        else text.end()
      }),
  }
}

type Form = 'stream' | 'whole' | 'other'

function formOfType(type: string, mayBeUntyped: boolean): Form | undefined {
  if (type.includes('event-stream')) return 'stream'
  if (mayBeUntyped) return undefined
  return type.includes('json') ? 'whole' : 'other'
}

/** Returns what the first characters, after white space, tell; undefined as long as they can become the first of a stream. */
function formOfHead(head: string, type: string): Form | undefined {
  if (/^(?:data:|event:|:)/.test(head)) return 'stream'
  if (['data:', 'event:'].some((begin) => begin.startsWith(head))) return undefined
  return type.includes('json') || /^[{[]/.test(head) ? 'whole' : 'other'
}

type Text = Pick<ReplyReader, 'add' | 'end'>

function createText(reply: ReadReply, form: Form | undefined, onPart: OnPart | undefined): Text {
  if (form === 'stream') return createStreamText(reply, onPart)
  return form === 'whole' ? createWholeText(reply, onPart) : { add: () => {}, end: () => {} }
}

function createWholeText(reply: ReadReply, onPart: OnPart | undefined): Text {
  let pieces: string[] = []
  let length = 0
  return {
    add(piece) {
      length += piece.length
      if (length <= longestText) pieces.push(piece)
      else pieces = []
    },
    end() {
      if (length <= longestText) takePart(reply, pieces.join(''), { onPart })
      else reply.unreadable = true
      reply.isWhole = true
    },
  }
}

function createStreamText(reply: ReadReply, onPart: OnPart | undefined): Text {
  let splitter = createEventSplitter()
  const take = (events: readonly StreamEvent[]) => {
    for (const { data, lines } of events)
      if (data !== undefined) takePart(reply, data, { length: lines.length, onPart })
  }
  return {
    add(piece) {
      try {
        take(splitter.add(piece))
      } catch {
        // The event is too long.
        reply.unreadable = true
        splitter = createEventSplitter()
      }
    },
    end() {
      const last = splitter.end()
      if (last) take([last])
    },
  }
}

function takePart(
  reply: ReadReply,
  text: string,
  { length = text.length, onPart }: { length?: number; onPart: OnPart | undefined },
): void {
  if (text.trim() === '[DONE]') return
  try {
    const part = parseJson(text)
    observePart(reply, part)
    onPart?.(part)
    reply.finish = finishIn(part) ?? reply.finish
    reply.form += Math.max(0, length - textLength(part))
  } catch {
    reply.unreadable = true
  }
}

/** Fields with names, which each part of a stream repeats, and the longest of them. What is longer is taken for a text. */
const nameFields =
  /^(?:id|object|type|role|model|modelVersion|system_fingerprint|service_tier|(?:item|response)_id|responseId|obfuscation)$/
const longestName = 100

/** Returns the length of the texts in a part of a reply, in whatever field, and of the arguments of calls. */
function textLength(value: unknown, field = ''): number {
  if (typeof value === 'string')
    return nameFields.test(field) && value.length <= longestName ? 0 : value.length
  if (typeof value !== 'object' || value === null) return 0
  if (/^(?:input|args|arguments)$/.test(field)) return JSON.stringify(value).length
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((one) => [field, one])
    : Object.entries(value as Json)
  return entries.reduce((sum, [name, inner]) => sum + textLength(inner, name), 0)
}
