import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider'
import { withoutThoughts } from '../../replies/thoughts.ts'
import type { Finish } from '../../schema/ledger/step.ts'
import { endOfWord, type ReplyEnd } from '../wire/finish-in.ts'
import { newWireReply, type WireReply } from '../wire/watch-reply.ts'
import { type ChatExtras, extrasName } from './chat-extras.ts'
import { collectParts, type ReplyPart } from './stream-parts.ts'

/** The result of one streamed call. A broken stream leaves its text. */
export interface StreamedReply {
  text: string
  /** What came over the wire: the counts, and the server's own words. */
  wire: WireReply
  /** Undefined if it did not end. */
  finish: ReplyEnd | undefined
  /** The model that answered, as the provider reports it. */
  model: string | undefined
  /** The first error, either thrown or sent in the stream. */
  error: unknown
  /** The provider's own word for the end of the reply. */
  end?: string | undefined
  /** Texts, reasoning and whole calls of tools, in order. */
  parts: readonly ReplyPart[]
  /** The ids of calls that the server gave, where others are made up; absent: all are the server's. */
  givenIds?: readonly string[] | undefined
  /** Fields that go back with the message of a turn that calls tools, beside its parts. */
  beside?: Readonly<Record<string, unknown>> | undefined
}

/** Returns a reply before the stream begins. */
export function emptyReply(wire = newWireReply()): StreamedReply {
  return { text: '', wire, finish: undefined, model: undefined, error: undefined, parts: [] }
}

/** The error of a stream that was closed without a finish event. */
export const streamEnded = { type: 'stream_ended', message: 'the stream ended before the reply did' }

/** Calls a model once and reads its stream to the end. Its `fetch` must record in `wire` what comes. Never rejects. */
export async function callModel(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  wire: WireReply,
): Promise<StreamedReply> {
  const collector = collectParts()
  const reply: StreamedReply = { ...emptyReply(wire), parts: collector.parts }
  try {
    const { stream } = await model.doStream(options)
    for await (const part of stream) {
      collector.add(part)
      if (part.type === 'text-delta') reply.text += part.delta
      else if (part.type === 'error') reply.error ??= part.error ?? 'an error without a message'
      else if (part.type === 'response-metadata') reply.model ??= part.modelId
      else if (part.type === 'finish' && isFinished(part.finishReason)) {
        reply.end = part.finishReason.raw
        reply.finish = endOf(part.finishReason)
        const { callIds, beside } = extrasOf(part.providerMetadata)
        reply.givenIds = callIds
        reply.beside = beside
      }
    }
    if (!reply.finish) reply.error ??= streamEnded
  } catch (error) {
    reply.error ??= error
  }
  return reply
}

/** Whether the vendor gave a finish reason: model objects also finish a stream that was merely closed. */
const isFinished = ({ unified, raw }: LanguageModelV3FinishReason) => unified !== 'other' || Boolean(raw)

const ends = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'refusal',
  'tool-calls': 'tool-call',
  error: 'error',
} as const

/** Libraries know the words of their own vendor only. */
const endOf = ({ unified, raw = '' }: LanguageModelV3FinishReason): ReplyEnd =>
  unified === 'other' ? endOfWord(raw) : ends[unified]

const extrasOf = (metadata: SharedV3ProviderMetadata | undefined) =>
  (metadata?.[extrasName] ?? {}) as Partial<ChatExtras>

/** Returns why a reply ended; undefined if it broke off, ended by an error, or for a reason that has no name here. */
export function finishOf({ text, parts, beside, finish, wire }: StreamedReply): Finish | undefined {
  if (finish === 'refusal' || (wire.refusal !== '' && text.trim() === '')) return 'refusal'
  if (finish === undefined || finish === 'error' || wire.failed) return undefined
  if (finish === 'length') return 'length'
  if (finish === 'tool-call' || parts.some(({ type }) => type === 'call')) return 'tool-call'
  const isThought =
    beside !== undefined || text.trim() !== '' || parts.some(({ type }) => type === 'reasoning')
  if (isThought && withoutThoughts(text).trim() === '') return 'thoughts'
  return finish === 'stop' ? 'stop' : undefined
}
