import type { Workspace } from '../strategy.ts'
import { estimateTokens } from '../tokens.ts'

/** Estimated tokens of files that one prompt may hold. One number for all methods, so that none sees more than another. */
const filesBudget = 40_000

/**
 * The workspace's files as text, for agents that cannot read the folder: path and content of each, in order of path.
 * What does not fit into `budget` estimated tokens is named with its size, never cut. Empty without files.
 */
export function filesContext(workspace: Pick<Workspace, 'list' | 'read'>, budget = filesBudget): string {
  const paths = workspace.list()
  // Tasks with an answer to give have none, and the order of nothing takes a while to find.
  if (paths.length === 0) return ''
  const blocks: string[] = []
  const leftOut: string[] = []
  let left = budget
  for (const path of paths.toSorted()) {
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

function fileBlock(path: string, content: string): string {
  // A file that holds fences itself needs a longer one around it.
  const longest = Math.max(2, ...[...content.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `FILE: ${path}\n${fence}\n${content}${content.endsWith('\n') || content === '' ? '' : '\n'}${fence}`
}
