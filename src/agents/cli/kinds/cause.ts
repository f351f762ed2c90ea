import type { AgentErrorReason } from '../../../text/errors.ts'
import { reasonOfRefusal } from '../../http/failure.ts'

const words: readonly (readonly [RegExp, AgentErrorReason])[] = [
  [/context (length|window)|too many tokens|prompt is too long|maximum context/i, 'context-overflow'],
  [/api[ _-]?key|unauthori[sz]ed|not logged in|missing environment variable|auth/i, 'key'],
  [/rate.?limit|quota|too many requests|overloaded|insufficient.?(quota|credit)/i, 'quota'],
  [/content.?(policy|filter)|refus|safety|blocked/i, 'refusal'],
  [/disconnect|connection|network|ECONN|ENOTFOUND|EAI_AGAIN|socket|fetch failed|reset/i, 'network'],
  [/internal server error|server error|bad gateway|service unavailable|gateway time/i, 'server'],
]

/**
 * Returns why a CLI failed: by its HTTP status if it reports one, else by a status in its message, else by the words of the
 * message; `exit` if none of these says more.
 */
export function causeOf(message: string, status: number | null = null): AgentErrorReason {
  const overflow = words[0] as readonly [RegExp, AgentErrorReason]
  if (overflow[0].test(message)) return overflow[1]
  const named = status ?? statusIn(message)
  if (named !== null && named >= 400 && named < 600) return reasonOfRefusal(named, message)
  return words.find(([pattern]) => pattern.test(message))?.[1] ?? 'exit'
}

function statusIn(message: string): number | null {
  const found = /(?:status|error|code|\()\W{0,4}([45]\d\d)\b/i.exec(message)
  return found ? Number(found[1]) : null
}

/** Returns the most useful line of a CLI's stderr: the last line with an error, else the last line. */
export function lastErrorLine(stderr: string): string {
  const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')
  const lines = stderr
    .replace(escapes, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return lines.findLast((line) => /error|fail|not found|invalid/i.test(line)) ?? lines.at(-1) ?? ''
}
