import { extractAnswer } from '../replies/answers/extract-answer.ts'
import { pickNumber } from '../replies/answers/numbers/pick-number.ts'
import type { CheckResult, Workspace } from '../strategy.ts'

/** What work does, seen from outside. */
export interface Behaviour {
  checks: CheckResult
  /** A text that is equal for work that does the same. */
  does: string
}

/**
 * Runs the visible checks and returns what the work does, for a vote: the result and output of the checks; without checks,
 * the changed files; without changed files, the answer in the reply.
 */
export async function behaviourOf(workspace: Workspace, reply: string): Promise<Behaviour> {
  const checks = await workspace.check()
  const { status, passed, total, output } = checks
  if (status !== 'none') return { checks, does: `${passed} of ${total}\n${output}` }
  const changes = workspace.diff()
  return { checks, does: changes === '' ? `answer ${sameAnswer(reply)}` : changes }
}

/**
 * Returns the final answer of a reply, as graders find it, in one form for all spellings: small letters, single spaces, `b` for `(B)`,
 * and one form for a number that stands alone (`$1,000.0` and `1000`). Without an answer, the whole reply.
 */
export function sameAnswer(reply: string): string {
  const answer = extractAnswer(reply) ?? reply
  const plain = answer
    .trim()
    .toLowerCase()
    .replace(/[*_`$]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '')
    .trim()
  const [, letter] = /^[([{<]? ?([a-z]) ?[)\]}>]?[.:,]?$/.exec(plain) ?? []
  return letter ?? numberAlone(answer) ?? plain
}

/** Returns a number that has no words beside it, in one form. Those beside `18 eggs` may matter, and a percentage has two values. */
function numberAlone(answer: string): string | undefined {
  const words = answer.replace(/\\(?:[dt]?frac|boxed|left|right)\b|^\s*\p{L}\s*(?==)|\d[eE](?=[-+]?\d)/gu, '')
  const picked = /\p{L}/u.test(words) ? undefined : pickNumber(answer)
  if (picked === undefined || 'problem' in picked) return undefined
  const [value, ...others] = picked.number.values as [number, ...number[]]
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value)
  return isExact && others.length === 0 ? String(value) : undefined
}
