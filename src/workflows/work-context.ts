import type { Ask } from '../ask.ts'
import { fenced, fenceFor } from '../replies/fence.ts'
import type { CheckResult, Workspace } from '../strategy.ts'
import { estimateTokens } from '../text/token-estimate.ts'
import { trimToTokens } from './trim.ts'

/** Asks a `produce` role to do the whole task, and shows it the files. Every control asks with these words: use it for yours. */
export function solve<Role extends string>(
  { ask, workspace }: { ask: Ask<Role>; workspace: Workspace },
  role: Role,
): Promise<string> {
  return ask(role, 'Solve the task.', { show: { files: filesContext(workspace) } })
}

/** Estimated tokens of files in one prompt. One number for all methods, so that none sees more than another. */
const filesBudget = 40_000

/**
 * Returns the files as text for a prompt, since not every agent can read the folder: path and content of each, sorted by path.
 * A file that does not fit into `budget` estimated tokens is named with its size, never cut. Empty without files.
 */
export function filesContext(workspace: Pick<Workspace, 'list' | 'read'>, budget = filesBudget): string {
  const blocks: string[] = []
  const leftOut: string[] = []
  let left = budget
  for (const path of workspace.list().toSorted()) {
    const content = workspace.read(path) ?? ''
    const block = fileBlock(path, content)
    const tokens = estimateTokens(`${block}\n\n`)
    if (tokens <= left) {
      blocks.push(block)
      left -= tokens
    } else leftOut.push(`${path} (about ${estimateTokens(content)} tokens)`)
  }
  if (leftOut.length > 0) blocks.push(`Not shown, for lack of room: ${leftOut.join(', ')}`)
  return blocks.join('\n\n')
}

// A file that contains fences needs a longer one around it.
const fileBlock = (path: string, content: string): string =>
  `FILE: ${path}\n${fenced(content, fenceFor([content]))}`

/** Returns the result of the visible checks as text for a prompt. */
export function checkContext({ status, passed, total, output }: CheckResult): string {
  if (status === 'none') return 'The task has no visible checks.'
  return `${status}: ${passed} of ${total} passed\n${output}`.trimEnd()
}

/**
 * Returns a `produce` role's reply for a prompt that also shows the files. If no file was changed the reply is the work, so it
 * is kept up to 4,000 tokens; else its end is enough, 300 tokens.
 */
export function replyContext(reply: string, workspace: Pick<Workspace, 'diff'>): string {
  return trimToTokens(reply, workspace.diff() === '' ? 4_000 : 300, 'end')
}

/** Joins named texts into one, each under a heading. Leaves out empty ones. */
export function sections(texts: Readonly<Record<string, string>>): string {
  const filled = Object.entries(texts).filter(([, text]) => text !== '')
  return filled.map(([name, text]) => `### ${name}\n${text}`).join('\n\n')
}
