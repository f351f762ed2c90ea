import type { JSONObject, SharedV3ProviderMetadata } from '@ai-sdk/provider'

/** Name of the metadata that {@link chatExtras} adds to the end of a reply. */
export const extrasName = 'bench'

/** What the library drops from a stream of Chat Completions. */
export interface ChatExtras {
  /** The ids of calls that the server gave. The library makes random ones for calls without an id. */
  callIds: string[]
  /** Reasoning that goes back beside the message, under the names under which the server sent it. */
  beside?: JSONObject
}

interface Chunk {
  choices?: { delta?: Delta | null }[]
}

interface Delta {
  reasoning_content?: unknown
  reasoning_details?: unknown
  tool_calls?: { id?: unknown }[] | null
}

/**
 * Reads what goes back with a turn that calls tools. DeepSeek wants `reasoning_content`, and OpenRouter `reasoning_details`, which hold
 * Gemini's signatures. Groq and Cerebras send `reasoning` and refuse to get any of them, so nothing goes back that did not come.
 */
export const chatExtras = {
  extractMetadata: async () => undefined,
  createStreamExtractor() {
    const callIds: string[] = []
    const details: JSONObject[] = []
    let content: string | undefined
    return {
      processChunk(chunk: unknown) {
        const delta = (chunk as Chunk | null)?.choices?.[0]?.delta
        if (typeof delta?.reasoning_content === 'string') content = (content ?? '') + delta.reasoning_content
        for (const { id } of listOf(delta?.tool_calls)) if (typeof id === 'string') callIds.push(id)
        for (const detail of listOf(delta?.reasoning_details)) addDetail(details, detail)
      },
      buildMetadata(): SharedV3ProviderMetadata {
        const beside = {
          ...(content !== undefined && { reasoning_content: content }),
          ...(details.length > 0 && { reasoning_details: details }),
        }
        const extras = { callIds, ...(Object.keys(beside).length > 0 && { beside }) }
        return { [extrasName]: extras }
      },
    }
  },
}

const listOf = (value: unknown): JSONObject[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []

function addDetail(details: JSONObject[], piece: JSONObject): void {
  const last = details.at(-1)
  const isFurther = last && last.type === piece.type && last.index === piece.index && last.type !== encrypted
  if (!isFurther) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    const isText = name === 'text' || name === 'summary'
    if (isText && typeof value === 'string') last[name] = `${last[name] ?? ''}${value}`
    else if (value !== null && value !== undefined) last[name] = value
  }
}

const encrypted = 'reasoning.encrypted'
