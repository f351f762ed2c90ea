import type { CheckResult, Workspace } from '../strategy.ts'
import { trimToTokens } from './trim.ts'

/** What the visible checks said, as text for a prompt. */
export function checkContext({ status, passed, total, output }: CheckResult): string {
  if (status === 'none') return 'The task has no visible checks.'
  return `${status}: ${passed} of ${total} passed\n${output}`.trimEnd()
}

/**
 * The producing role's last reply, for a prompt that shows the files beside it: where it changed none, it is the work;
 * else its end is enough, where an answer stands.
 */
export function replyContext(reply: string, workspace: Pick<Workspace, 'diff'>): string {
  return trimToTokens(reply, workspace.diff() === '' ? 4_000 : 300, 'end')
}

/** Named texts as one, each under a heading; empty ones are left out. */
export function sections(texts: Readonly<Record<string, string>>): string {
  const filled = Object.entries(texts).filter(([, text]) => text !== '')
  return filled.map(([name, text]) => `### ${name}\n${text}`).join('\n\n')
}
