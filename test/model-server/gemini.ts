import { callId, endOf, halves, type Usage } from './script.ts'
import { type Body, event, list, type Said, textOf, type Wire } from './wire.ts'

/** Gemini generateContent and streamGenerateContent. */
export const gemini: Wire = {
  name: 'gemini',
  asks: (path) => /\/models\/[^/]+:(generateContent|streamGenerateContent)$/.test(path),
  read: (body, url) => ({
    model: decodeURIComponent(/\/models\/([^/]+):/.exec(url.pathname)?.[1] ?? ''),
    stream: url.pathname.endsWith(':streamGenerateContent'),
    system: partsText(body.systemInstruction),
    messages: list(body.contents).map((content) => ({
      role: list(content.parts).some((part) => part.functionResponse)
        ? 'tool'
        : content.role === 'model'
          ? 'assistant'
          : 'user',
      text: partsText(content),
    })),
    tools: list(body.tools).flatMap(({ functionDeclarations }) =>
      list(functionDeclarations).map(({ name }) => String(name)),
    ),
  }),
  whole: (said) => chunk(said, parts(said), { last: true }),
  *frames(said) {
    const all = parts(said).flatMap((part) =>
      typeof part.text === 'string' ? halves(part.text).map((text) => ({ ...part, text })) : [part],
    )
    for (const [i, part] of all.entries()) yield event(chunk(said, [part], { last: i === all.length - 1 }))
    if (all.length === 0) yield event(chunk(said, [], { last: true }))
  },
  contentType: (url) =>
    url.searchParams.get('alt') === 'sse' ? 'text/event-stream' : 'application/json; charset=UTF-8',
  error: geminiError,
  errorFrame: (status, message) => event(geminiError(status, message, undefined)),
  dataFrame: (data) => event(data),
  malformed: 'data: {"candidates": [{"cont\n\n',
  aside(method, path, body) {
    if (method === 'POST' && path.endsWith(':countTokens'))
      return { totalTokens: Math.ceil(JSON.stringify(body).length / 4) }
    if (method === 'GET' && /^\/v1(beta)?\/models$/.test(path) && path.startsWith('/v1beta'))
      return { models: [model('models/gemini-test')] }
    const one = /^\/v1beta\/(models\/[^/:]+)$/.exec(path)?.[1]
    return method === 'GET' && one ? model(one) : undefined
  },
}

const reasons = { stop: 'STOP', tools: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' }
const model = (name: string) => ({
  name,
  displayName: name,
  inputTokenLimit: 1_000_000,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: ['generateContent', 'countTokens'],
})

const partsText = (content: unknown) =>
  list((content as Body | undefined)?.parts)
    .map((part) => textOf(part.functionResponse ?? part))
    .join('')

function parts({ answer, request }: Said): Body[] {
  const { thinking, text, toolCalls = [], signature: thoughtSignature } = answer
  return [
    ...(thinking ? [{ text: thinking, thought: true }] : []),
    ...(text ? [{ text }] : []),
    ...toolCalls.map((call, i) => ({
      functionCall: { id: callId(call, `call_${request.number}_${i}`), name: call.name, args: call.input },
      ...(i === 0 && thoughtSignature && { thoughtSignature }),
    })),
  ]
}

function chunk({ request, answer, usage }: Said, parts: readonly Body[], { last }: { last: boolean }) {
  const finishReason = last ? { finishReason: reasons[endOf(answer)] } : {}
  return {
    candidates: [{ content: { role: 'model', parts }, ...finishReason, index: 0 }],
    ...(usage && { usageMetadata: usageOf(usage) }),
    modelVersion: request.model,
    responseId: `resp_${request.number}`,
  }
}

/** Gemini counts thoughts beside the candidates' tokens. */
const usageOf = ({ input, cached, output, reasoning }: Usage) => ({
  promptTokenCount: input,
  cachedContentTokenCount: cached,
  candidatesTokenCount: output - reasoning,
  thoughtsTokenCount: reasoning,
  totalTokenCount: input + output,
})

function geminiError(code: number, message: string, status: string | undefined) {
  const statuses: Record<number, string> = {
    400: 'INVALID_ARGUMENT',
    401: 'UNAUTHENTICATED',
    403: 'PERMISSION_DENIED',
    404: 'NOT_FOUND',
    429: 'RESOURCE_EXHAUSTED',
    500: 'INTERNAL',
  }
  return { error: { code, message, status: status ?? statuses[code] ?? 'UNAVAILABLE' } }
}
