import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { onLoopback } from './loopback.ts'

/** A model server on loopback whose log says what was paid. */
export interface BillingServer {
  /** As OPENAI_COMPATIBLE_BASE_URL. */
  url: string
  /** Each call as it came in, from when on it is paid: when, and with which key. */
  calls: { at: number; authorization: string | undefined }[]
}

/** Starts one that speaks Chat Completions, takes so long for a call, and gives the same answer, with 100 + 10 tokens. It ends with its test. */
export async function startBillingServer(delayMs: () => number): Promise<BillingServer> {
  const calls: BillingServer['calls'] = []
  const server = createServer(async (request, response) => {
    await text(request)
    response.setHeader('content-type', 'application/json')
    if (request.method !== 'POST') return response.end('{"data":[{"id":"m"}]}')
    calls.push({ at: performance.now(), authorization: request.headers.authorization })
    const message = { role: 'assistant', content: 'ANSWER: 1' }
    const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
    const reply = { id: 'x', object: 'chat.completion', created: 1, model: 'm', usage }
    setTimeout(() => {
      response.end(JSON.stringify({ ...reply, choices: [{ index: 0, message, finish_reason: 'stop' }] }))
    }, delayMs())
  })
  return { url: `${await onLoopback(server)}/v1`, calls }
}
