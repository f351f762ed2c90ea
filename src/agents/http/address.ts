import { createRedactor } from '../../text/redact.ts'
import { isSameOrigin } from '../../text/same-origin.ts'

/** Returns an address as messages may show it: without user, password, query and fragment. */
export function publicAddress(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`
}

/** Whether a text is an address with the scheme http or https. */
export const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)

/** What is wrong with any other text, and the remedy. */
export const notWebAddress = { what: 'is not a web address', fix: 'Write it like https://host/v1.' }

type Fetch = typeof globalThis.fetch

/** Statuses of redirects that repeat the request. 301 to 303 would turn it into a GET. */
const repeating = [307, 308]

/** More redirects than this count as a loop. */
const mostRedirects = 5

/**
 * Returns a `fetch` that follows redirects only within the same server. Plain `fetch` would send the prompt and headers such
 * as `x-api-key` wherever a redirect leads. A redirect to another server is an error that names the target.
 */
export function onSameServer(send: Fetch): Fetch {
  return async (input, init) => {
    let url = String(input instanceof Request ? input.url : input)
    for (let followed = 0; ; followed++) {
      const response = await send(followed === 0 ? input : url, { ...init, redirect: 'manual' })
      const { status, headers } = response
      const location = headers.get('location')
      if (status < 300 || status >= 400 || location === null) return response
      await response.body?.cancel()
      if (!URL.canParse(location, url)) throw redirected(url, location, status)
      const next = new URL(location, url).href
      if (!repeating.includes(status) || !isSameOrigin(url, next) || followed >= mostRedirects)
        throw redirected(url, publicAddress(next), status)
      url = next
    }
  }
}

/** Creates the error of a refused redirect. `statusCode` is the field that marks errors with a status. */
function redirected(from: string, to: string, statusCode: number): Error {
  const message = `${publicAddress(from)} redirects to ${to} (${statusCode}), which is not followed. If that server is meant, set its address as the base URL, with its key.`
  return Object.assign(new Error(message), { statusCode })
}

/**
 * Returns a function that removes secrets from a vendor's message: the key in any encoding, and the user, password and query
 * of addresses. The trial redacts again, but this also covers messages that are never journaled.
 */
export function messageCleaner(keyVariable: string, key: string | undefined): (message: string) => string {
  const redactor = key === undefined ? undefined : createRedactor([{ name: keyVariable, value: key }])
  return (message) => {
    const addressed = message.replace(addressPattern, (_, scheme: string, host: string) => `${scheme}${host}`)
    return redactor?.cut(addressed) ?? addressed
  }
}

const addressPattern = /\b(https?:\/\/)(?:[^\s/@"']*@)?([^\s?#"']*)(?:[?#][^\s"']*)?/g
