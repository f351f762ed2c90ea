import type { Message } from '../conversation.ts'
import { emptyReply, type StreamedReply, streamEnded } from '../http/call-model.ts'
import { onSameServer } from '../http/same-server.ts'

/** A question to Ollama's /api/chat. */
interface ChatCall {
  model: string
  messages: readonly Message[]
  /** Tokens that the model is loaded for: Ollama's own default is small, and it would cut longer prompts in silence. */
  context: number
  maxOutput: number | undefined
}

/** Asks once and listens to the end of the stream. Never rejects. */
export async function chat(address: string, call: ChatCall, signal: AbortSignal): Promise<StreamedReply> {
  const { model, messages, context, maxOutput } = call
  const heard = emptyReply()
  try {
    const response = await onSameServer(fetch)(`${address}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        messages: messages.map(({ role, text }) => ({ role, content: text })),
        stream: true,
        // Servers that know these refuse a prompt that does not fit, and end a reply that does not, instead of forgetting.
        truncate: false,
        shift: false,
        options: { num_ctx: context, ...(maxOutput !== undefined && { num_predict: maxOutput }) },
      }),
      signal,
    })
    if (!response.ok || !response.body) throw await refusal(response)
    for await (const line of linesOf(response.body)) take(heard, line)
    if (!heard.finish) heard.error ??= streamEnded
  } catch (error) {
    heard.error ??= error
  }
  return heard
}

interface ChatLine {
  model?: string
  message?: { content?: string }
  done?: boolean
  done_reason?: string
  error?: string
  prompt_eval_count?: number
  eval_count?: number
}

/** Ollama counts the prompt, and the output with its thinking; it tells nothing of them apart. */
function take(heard: StreamedReply, text: string): void {
  let line: ChatLine
  try {
    line = JSON.parse(text) as ChatLine
  } catch (error) {
    heard.error ??= {
      name: 'JSONParseError',
      message: `a line of its reply is no JSON: ${(error as Error).message}`,
    }
    return
  }
  if (line.error !== undefined) heard.error ??= { message: line.error }
  heard.text += line.message?.content ?? ''
  heard.model ??= line.model
  if (!line.done) return
  heard.finish = line.done_reason === 'length' ? 'length' : 'stop'
  const { prompt_eval_count: input, eval_count: output } = line
  heard.usage = {
    inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
    raw: { prompt_eval_count: input ?? null, eval_count: output ?? null },
  }
}

/** A reply with an error status, with the fields that errors of the model objects have. */
async function refusal(response: Response): Promise<object> {
  const responseBody = await response.text()
  let message = responseBody
  try {
    message = (JSON.parse(responseBody) as ChatLine).error ?? responseBody
  } catch {
    // A proxy's page, told as it is.
  }
  const responseHeaders = Object.fromEntries(response.headers)
  return { message, statusCode: response.status, responseHeaders, responseBody }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') yield line
  }
  if (rest.trim() !== '') yield rest
}
