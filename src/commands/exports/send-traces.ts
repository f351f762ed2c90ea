import { setTimeout as wait } from 'node:timers/promises'
import { publicAddress } from '../../agents/http/address.ts'
import { isObject } from '../../text/is-object.ts'
import { shorten } from '../../text/shorten.ts'
import type { Collector } from './collector.ts'

/** Most spans of a request, as in the SDKs of OpenTelemetry, and most characters unless one span has more. */
const most = { spans: 512, characters: 1024 * 1024 }

/** How often a request is made, and how long bench waits for its answer and between two of them; ms. */
const usualTimes = { attempts: 5, requestMs: 10_000, waitMs: 1000, longestWaitMs: 60_000 }

/** What a collector took: spans that were sent, those that it rejected, and what it said of them. */
interface Sent {
  spans: number
  rejected: number
  message?: string
  /** Why the rest was not sent, and what to do. */
  failure?: { what: string; fix: string }
}

/**
 * Sends spans to a collector, a request at a time. `requestOf` makes a request of them. Statuses 429, 502, 503 and 504, and a connection that
 * breaks, are tried again, after the time that the collector names or one that grows; no redirect is followed. Stops at the first request that fails.
 */
export async function sendTraces(
  spans: Iterable<string>,
  requestOf: (spans: readonly string[]) => string,
  collector: Collector,
  times = usualTimes,
): Promise<Sent> {
  const sent: Sent = { spans: 0, rejected: 0 }
  for (const batch of batches(spans)) {
    const answer = await post(collector, requestOf(batch), times)
    if ('what' in answer) return { ...sent, failure: answer }
    sent.spans += batch.length
    sent.rejected += answer.rejected
    if (answer.message !== '') sent.message ??= answer.message
  }
  return sent
}

function* batches(spans: Iterable<string>): Generator<string[]> {
  let batch: string[] = []
  let characters = 0
  for (const span of spans) {
    const isFull = batch.length >= most.spans || characters + span.length > most.characters
    if (isFull && batch.length > 0) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(span)
    characters += span.length
  }
  if (batch.length > 0) yield batch
}

interface Failure {
  what: string
  fix: string
  /** Whether a further attempt may succeed, and when, if the collector says so; ms. */
  mayPass?: boolean
  afterMs?: number | undefined
}

interface Accepted {
  rejected: number
  message: string
}

async function post(
  collector: Collector,
  body: string,
  times: typeof usualTimes,
): Promise<Accepted | Failure> {
  for (let attempt = 1; ; attempt++) {
    const answer = await postOnce(collector, body, times.requestMs)
    if (!('what' in answer) || !answer.mayPass) return answer
    const { afterMs = times.waitMs * 2 ** (attempt - 1) * (0.8 + 0.4 * Math.random()) } = answer
    if (attempt >= times.attempts) return { ...answer, what: `${answer.what}, ${attempt} times` }
    if (afterMs > times.longestWaitMs)
      return { ...answer, what: `${answer.what}, and asks to wait ${Math.ceil(afterMs / 1000)} s` }
    await wait(afterMs)
  }
}

async function postOnce(
  { url, headers, clean }: Collector,
  body: string,
  timeoutMs: number,
): Promise<Accepted | Failure> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'user-agent': 'orchestration-bench', ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: timeout,
    })
    const said = await readAnswer(response)
    if (!response.ok) return refusalOf(response, said, clean)
    return isPage(response) ? pageProblem : acceptedOf(said, clean)
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; message?: string } }
    const reason = cause?.code ?? cause?.message ?? (error as Error).message
    if (reason === 'bad port') return portProblem
    return {
      what: timeout.aborted ? `gave no answer in ${timeoutMs / 1000} s` : `cannot be reached (${reason})`,
      fix: 'Check the address, and whether the collector runs.',
      mayPass: true,
    }
  }
}

/** A page that says anything with status 200, such as that of a proxy, has taken no span. */
const isPage = ({ headers }: Response) => /^text\/html\b/i.test(headers.get('content-type') ?? '')

/** Node asks no port that the standard of fetch sets aside for other protocols. */
const portProblem: Failure = {
  what: 'has a port that is reserved for another protocol',
  fix: 'Let the collector listen on another port, such as 4318.',
}

/** Statuses after which OTLP lets a client try again; no others. */
const passing = [429, 502, 503, 504]

function refusalOf({ status, headers }: Response, said: unknown, clean: Collector['clean']): Failure {
  if (status >= 300 && status < 400) {
    const location = headers.get('location') ?? ''
    const target = URL.canParse(location) ? ` to ${publicAddress(location)}` : ''
    return {
      what: `redirects${target} (status ${status}), which is not followed`,
      fix: 'Give the address that it leads to.',
    }
  }
  const message =
    isObject(said) && typeof said.message === 'string' ? `: ${clean(shorten(said.message))}` : ''
  return {
    what: `answered with status ${status}${message}`,
    fix: fixes[status] ?? 'See what the collector logs.',
    mayPass: passing.includes(status),
    afterMs: delayOf(headers.get('retry-after')),
  }
}

const credentials = "Give its key as a header: OTEL_EXPORTER_OTLP_HEADERS='authorization=Bearer …'."
const fixes: Readonly<Record<number, string>> = {
  401: credentials,
  403: credentials,
  404: 'Name the address of its OTLP over HTTP, such as http://localhost:4318; /v1/traces is added.',
  415: 'Bench sends OTLP as JSON, which this collector does not take.',
}

const pageProblem: Failure = {
  what: 'answered with a web page, so it is not a collector',
  fix: fixes[404] as string,
}

/** Returns the milliseconds that `Retry-After` names, in seconds or as a date; undefined without it. */
function delayOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}

/** A collector that takes a part of the spans says how many it rejects; these must not be sent again. */
function acceptedOf(said: unknown, clean: Collector['clean']): Accepted {
  const partial = isObject(said) ? said.partialSuccess : undefined
  if (!isObject(partial)) return { rejected: 0, message: '' }
  // 64-bit numbers are texts in JSON of protobuf.
  const rejected = Number(partial.rejectedSpans ?? 0)
  const message = typeof partial.errorMessage === 'string' ? clean(shorten(partial.errorMessage)) : ''
  return { rejected: Number.isSafeInteger(rejected) ? rejected : 0, message }
}

const longestAnswer = 64 * 1024

/** Reads an answer as JSON; undefined if it is none, or too long to be one. */
async function readAnswer({ body }: Response): Promise<unknown> {
  if (!body) return undefined
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body) {
    length += part.length
    if (length > longestAnswer) return undefined
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString())
  } catch {
    return undefined
  }
}
