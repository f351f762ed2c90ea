import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { NONCE, type SecureHeadersVariables, secureHeaders } from 'hono/secure-headers'

/** What every request of a server is held against. */
export interface Guard {
  /** Every request needs it: at first in its address, then in a cookie. */
  token: string
  /** Every request that changes something needs it in its form; undefined: nothing can be changed. */
  control: string | undefined
  /** The names and ports by which people reach the server, in small letters. */
  hosts(): readonly string[]
  /** Name of the cookie: servers on several ports of one machine share all cookies. */
  cookie(): string
}

/** What middleware notes for a page. */
export type GuardedEnv = { Variables: SecureHeadersVariables }

/** Returns a token that nobody can guess. */
export const newToken = (): string => randomBytes(24).toString('base64url')

/**
 * Returns the middleware that refuses whatever is not this person's own browser: another name in `Host` (DNS rebinding), a request from
 * another site, one without the token. Scripts run by a nonce alone, and nothing is fetched from elsewhere.
 */
export function guards(guard: Guard): MiddlewareHandler<GuardedEnv>[] {
  return [
    headers,
    async (c, next) => {
      c.header('Cache-Control', 'no-store')
      if (!guard.hosts().includes((c.req.header('host') ?? '').toLowerCase()))
        return c.text('This name is not the address of bench view.', 403)
      const site = c.req.header('sec-fetch-site')
      if (site !== undefined && site !== 'same-origin' && site !== 'none')
        return c.text('bench view takes no requests from other sites.', 403)
      if (c.req.method !== 'GET' && c.req.method !== 'POST')
        return c.text('bench view takes GET and POST alone.', 405)
      return next()
    },
    async (c, next) => {
      const { token: typed, ...others } = c.req.query()
      if (typed !== undefined && isSame(typed, guard.token)) {
        setCookie(c, guard.cookie(), guard.token, { httpOnly: true, sameSite: 'Strict', path: '/' })
        const rest = new URLSearchParams(others).toString()
        return c.redirect(pathOf(c) + (rest && `?${rest}`))
      }
      if (!isSame(getCookie(c, guard.cookie()), guard.token))
        return c.text('Open the address that bench view printed: it holds a token.', 401)
      return next()
    },
    async (c, next) => {
      if (c.req.method !== 'POST') return next()
      if (guard.control === undefined)
        return c.text('Nothing can be changed here: bench view was started without --control.', 403)
      const origin = c.req.header('origin')
      if (origin !== undefined && !guard.hosts().includes(origin.replace(/^https?:\/\//, '')))
        return c.text('bench view takes no forms of other sites.', 403)
      const length = Number(c.req.header('content-length') ?? Number.NaN)
      if (!(length <= longestForm)) return c.text('A form is at most 64 KB long, and says its length.', 413)
      const { control } = await c.req.parseBody()
      if (!isSame(typeof control === 'string' ? control : undefined, guard.control))
        return c.text('The form holds no token of this bench view. Load the page again.', 403)
      return next()
    },
  ]
}

/** Longest form that a person sends; bytes. */
const longestForm = 64 * 1024

/** A path that begins with two slashes would be the name of another host. */
const pathOf = (c: Context) => c.req.path.replace(/^\/+/, '/')

const headers: MiddlewareHandler<GuardedEnv> = secureHeaders({
  contentSecurityPolicy: {
    ...{ defaultSrc: ["'none'"], scriptSrc: [NONCE], styleSrc: ["'unsafe-inline'"], connectSrc: ["'self'"] },
    ...{ imgSrc: ['data:'], baseUri: ["'none'"], formAction: ["'self'"], frameAncestors: ["'none'"] },
  },
  ...{ xFrameOptions: 'DENY', crossOriginResourcePolicy: 'same-origin', referrerPolicy: 'same-origin' },
  // The server speaks HTTP on this machine.
  strictTransportSecurity: false,
})

/** Compares without telling by its time how much was right. */
function isSame(given: string | undefined, token: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
