import { setTimeout as wait } from 'node:timers/promises'
import { onSameServer } from '../../agents/http/address.ts'

/**
 * Posts JSON to a server, a second time where that may help. Follows no redirect to another server. Returns what went wrong;
 * undefined if the server accepted it.
 */
export async function postJson(
  url: URL,
  body: string,
  { timeoutMs, retryAfterMs, signal }: { timeoutMs: number; retryAfterMs: number; signal: AbortSignal },
): Promise<string | undefined> {
  const first = await postOnce(url, body, timeoutMs, signal)
  if (first === undefined || !first.mayPass || signal.aborted) return first?.problem
  await wait(retryAfterMs, undefined, { signal }).catch(() => {})
  if (signal.aborted) return first.problem
  const second = await postOnce(url, body, timeoutMs, signal)
  return second && `${second.problem}, also the second time`
}

interface Failure {
  problem: string
  /** Whether a second attempt may succeed. */
  mayPass: boolean
}

async function postOnce(
  url: URL,
  body: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const {
      ok,
      status,
      body: reply,
    } = await onSameServer(fetch)(withoutLogin(url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'orchestration-bench', ...login(url) },
      body,
      signal: AbortSignal.any([timeout, signal]),
    })
    // An endless reply must not keep the connection.
    await reply?.cancel().catch(() => {})
    if (ok) return undefined
    return { problem: `answered with status ${status}`, mayPass: status >= 500 || status === 429 }
  } catch (error) {
    const { statusCode, cause } = error as {
      statusCode?: number
      cause?: { code?: string; message?: string }
    }
    if (statusCode !== undefined)
      return {
        problem: `redirects elsewhere (status ${statusCode}), which bench does not follow: name the address itself`,
        mayPass: false,
      }
    if (timeout.aborted) return { problem: `gave no answer in ${timeoutMs / 1000} s`, mayPass: true }
    if (signal.aborted) return { problem: 'was cut off, because you stopped bench', mayPass: false }
    return {
      problem: `cannot be reached (${cause?.code ?? cause?.message ?? 'unknown reason'})`,
      mayPass: true,
    }
  }
}

/** `fetch` takes no address with a user and a password. */
function withoutLogin({ href }: URL): string {
  const url = new URL(href)
  url.username = ''
  url.password = ''
  return url.href
}

function login({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
}
