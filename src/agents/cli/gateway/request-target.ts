import { keyStandIn } from './key-guard.ts'

/** An allowed request target, or why it is refused. */
type Target =
  | {
      /** Path and query. */
      path: string
      /** The `key` parameter held the stand-in and was removed. */
      hasKeyParameter: boolean
    }
  | { problem: string }

/** Maximum depth of percent-encoding. A deeper one can only be meant to deceive a server. */
const mostDecoded = 4

/**
 * Checks a request target, which a program in a sandbox chooses freely. Only a path below the provider's own is allowed: no
 * other origin, nothing that a server could read as one, and no path upwards.
 */
export function targetOf(target: string, base: URL): Target {
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(target))
    return { problem: 'is not a path: it must begin with one "/" and contain only printable ASCII' }
  if (/[\\#]/.test(target)) return { problem: 'holds a "\\" or a "#"' }
  const [path = '', ...query] = target.split('?')
  const problem = pathProblem(path)
  if (problem !== undefined) return { problem }
  const own = base.pathname.replace(/\/+$/, '')
  if (path !== own && !path.startsWith(`${own}/`))
    return { problem: `is outside ${own}, the path of the provider` }
  if (query.length === 0) return { path, hasKeyParameter: false }
  const all = query.join('?').split('&')
  const kept = all.filter((parameter) => parameter !== `key=${keyStandIn}`)
  return {
    path: kept.length > 0 ? `${path}?${kept.join('&')}` : path,
    hasKeyParameter: kept.length < all.length,
  }
}

function pathProblem(path: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(path)) return 'holds a "%" that is not followed by two hexadecimal digits'
  let text = path
  for (let round = 0; round <= mostDecoded; round++) {
    const problem = decodedProblem(text)
    if (problem !== undefined) return problem
    const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    if (decoded === text) return undefined
    text = decoded
  }
  return `is percent-encoded more than ${mostDecoded} times`
}

function decodedProblem(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (/[\u0000-\u001f\u007f\\]/.test(text)) return 'holds a control character or a "\\"'
  // Bytes that never occur in UTF-8. Old servers read some of them as "." and "/".
  if (/[\u00c0\u00c1\u00f5-\u00ff]/.test(text)) return 'is not UTF-8'
  if (text.startsWith('//')) return 'begins with more than one "/"'
  // A ";" begins a parameter of the segment, which some servers drop first.
  const names = text.split('/').map((segment) => segment.split(';')[0])
  return names.some((name) => name === '.' || name === '..') ? 'holds "." or ".."' : undefined
}
