import type { Failure } from './script.ts'

/** A reply that is not the model's: a status and a body. */
export type Refusal = Extract<Failure, { kind: 'body' }>

/** The names of the wires. */
export type WireName = 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini' | 'ollama'

/** The forms of refusals, by fault and wire. The first form is the most common one. A wire without forms cannot show the fault. */
export type Refusals = Readonly<Record<string, Partial<Record<WireName, readonly Refusal[]>>>>

export const json = (status: number, body: unknown, headers?: Readonly<Record<string, string>>): Refusal => ({
  kind: 'body',
  status,
  type: 'application/json',
  body: JSON.stringify(body),
  ...(headers && { headers }),
})

export const anthropic = (status: number, type: string, message: string, headers?: Refusal['headers']) =>
  json(
    status,
    { type: 'error', error: { type, message }, request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' },
    headers,
  )

export const openai = (
  status: number,
  message: string,
  code: string | null,
  type = 'invalid_request_error',
) => json(status, { error: { message, type, param: null, code } })

export const gemini = (code: number, status: string, message: string, details?: readonly unknown[]) =>
  json(code, { error: { code, message, status, ...(details && { details }) } })

export const geminiInfo = (reason: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com',
  metadata: { service: 'generativelanguage.googleapis.com' },
})

/** The form of OpenRouter. */
export const router = (code: number, message: string) => json(code, { error: { message, code } })

export const ollama = (status: number, error: string) => json(status, { error })

export const page = (status: number, words: string): Refusal => ({
  kind: 'body',
  status,
  type: 'text/html',
  body: `<html>\r\n<head><title>${words}</title></head>\r\n<body>\r\n<center><h1>${words}</h1></center>\r\n<hr><center>nginx/1.24.0</center>\r\n</body>\r\n</html>\r\n`,
})

export const second = { 'retry-after': '1' }
