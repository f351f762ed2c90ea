import type { CheckResult, Workspace } from '../strategy.ts'

/** What a piece of work does, as far as it can be seen from outside. */
interface Behaviour {
  checks: CheckResult
  /** Equal for work that does the same. */
  does: string
}

/**
 * What work does: for code what the task's visible checks make of it, to the word of what they print. Where there are
 * none, its changed files; and where none changed, its answer.
 */
export async function behaviourOf(workspace: Workspace, reply: string): Promise<Behaviour> {
  const checks = await workspace.check()
  const { status, passed, total, output } = checks
  if (status !== 'none') return { checks, does: `${passed} of ${total}\n${output}` }
  const changes = workspace.diff()
  return { checks, does: changes === '' ? `answer ${sameAnswer(reply)}` : changes }
}

/**
 * The answer of a reply in one form for all that mean the same: what follows its last `Answer:`, else its last line;
 * small letters, single spaces, numbers without grouping or closing zeros.
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
