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
 * Returns the answer of a reply in one form for all spellings: the text after its last `Answer:`, else its last line, in small
 * letters, with single spaces, and numbers without grouping or trailing zeros.
 */
export function sameAnswer(reply: string): string {
  const text = reply.trim()
  const at = text.toLowerCase().lastIndexOf('answer:')
  const said = at < 0 ? text.slice(text.lastIndexOf('\n') + 1) : text.slice(at + 'answer:'.length)
  const plain = said
    .trim()
    .toLowerCase()
    .replace(/[*_`$]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '')
    .trim()
  const number = plain.replace(/(?<=\d),(?=\d{3}(\D|$))/g, '')
  return /^[+-]?\d+(\.\d+)?$/.test(number) ? String(Number(number)) : plain
}
