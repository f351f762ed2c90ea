import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FinishReason,
  LanguageModelV3Usage,
} from '@ai-sdk/provider'

/** What came of one call. A stream that broke leaves its text, and no usage: what it told by then was not final. */
export interface StreamedReply {
  text: string
  usage: LanguageModelV3Usage | undefined
  finish: LanguageModelV3FinishReason['unified'] | undefined
  /** The model that the provider says answered. */
  model: string | undefined
  /** The first error, thrown or told in the stream. */
  error: unknown
}

/** Before anything came. */
export function emptyReply(): StreamedReply {
  return { text: '', usage: undefined, finish: undefined, model: undefined, error: undefined }
}

/** A stream that ended in good order, but too early. */
export const streamEnded = { type: 'stream_ended', message: 'the stream ended before the reply did' }

/** Calls a model once and listens to the end of its stream. Never rejects. */
export async function callModel(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
): Promise<StreamedReply> {
  const heard = emptyReply()
  try {
    const { stream } = await model.doStream(options)
    for await (const part of stream) {
      if (part.type === 'text-delta') heard.text += part.delta
      else if (part.type === 'error') heard.error ??= part.error ?? 'an error without a word'
      else if (part.type === 'response-metadata') heard.model ??= part.modelId
      else if (part.type === 'finish' && isWhole(part.finishReason)) {
        heard.usage = part.usage
        heard.finish = part.finishReason.unified
      }
    }
    if (!heard.finish) heard.error ??= streamEnded
  } catch (error) {
    heard.error ??= error
  }
  return heard
}

/** The model objects finish a stream that just ended, too: with no reason of the vendor's. */
const isWhole = ({ unified, raw }: LanguageModelV3FinishReason) => unified !== 'other' || raw !== undefined
