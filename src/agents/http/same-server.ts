import { isSameOrigin, publicAddress } from './address.ts'

type Fetch = typeof globalThis.fetch

/** Redirects that ask again as before, unlike 301 to 303, which make a GET of it. */
const repeating = [307, 308]

/** A redirect further than this goes round. */
const mostRedirects = 5

/**
 * Keeps requests on the server that they were meant for: `fetch` takes `x-api-key` and the like along wherever a redirect
 * leads, and the prompt, too. One that stays there is followed; any other is an error that says where it leads.
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

/** With the field by which errors of a status are known. */
function redirected(from: string, to: string, statusCode: number): Error {
  const message = `${publicAddress(from)} redirects to ${to} (${statusCode}), which is not followed. If that server is meant, set its address as the base URL, with its key.`
  return Object.assign(new Error(message), { statusCode })
}
