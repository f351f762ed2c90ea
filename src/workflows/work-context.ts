import type { Ask } from '../ask.ts'
import type { CheckResult, Workspace } from '../strategy.ts'
import { fenced, fenceFor } from '../text/fence.ts'
import { bulkText, estimateTokens, splitBulk } from '../text/token-estimate.ts'

/** Asks a `produce` role to do the whole task, and shows it the files. Every control asks with these words: use it for yours. */
export function solve<Role extends string>(
  { ask, workspace }: { ask: Ask<Role>; workspace: Workspace },
  role: Role,
): Promise<string> {
  return ask(role, ...solveWords(workspace))
}

/** Returns the prompt and the texts that `solve()` shows. */
export const solveWords = (workspace: Pick<Workspace, 'list' | 'read'>) =>
  ['Solve the task.', { show: { files: filesContext(workspace) } }] as const

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

/** Adds to a text as much of its bulk (dev mode's stand-in for long text) as fits into `target` tokens with it. */
export function withBulk(plain: string, bulkTokens: number, target: number): string {
  const room = Math.min(bulkTokens, target - estimateTokens(`${plain}\n`))
  return room >= 1 ? `${plain}\n${bulkText(Math.floor(room), 'detail')}` : plain
}

/** Splits a text into lines, and long lines into sentences; `line` says which belong together. Leaves out blank ones. */
export function segments(text: string): { text: string; line: number }[] {
  return text
    .split('\n')
    .flatMap((whole, line) =>
      (whole.length > 200 ? whole.split(/(?<=[.!?]) +/) : [whole])
        .filter((part) => part.trim() !== '')
        .map((part) => ({ text: part.trimEnd(), line })),
    )
}

/** Joins segments again: those of one line by a space, lines by a line break. */
export function joinSegments(parts: readonly { text: string; line: number }[]): string {
  let text = ''
  parts.forEach((part, i) => {
    text += i === 0 ? part.text : (parts[i - 1]?.line === part.line ? ' ' : '\n') + part.text
  })
  return text
}

/**
 * Cuts a text to at most `target` estimated tokens, between lines or sentences; `keep` says which end stays. It cuts inside a
 * sentence only if not even one fits.
 */
export function trimToTokens(text: string, target: number, keep: 'start' | 'end' = 'start'): string {
  if (estimateTokens(text) <= target) return text
  const { plain, bulkTokens } = splitBulk(text)
  const all = segments(plain)
  if (keep === 'end') all.reverse()
  const kept: typeof all = []
  let room = target * 4
  for (const segment of all) {
    room -= segment.text.length + 1
    if (room < 0) break
    kept.push(segment)
  }
  if (keep === 'end') kept.reverse()
  const cut = keep === 'start' ? plain.slice(0, target * 4) : plain.slice(-target * 4)
  // Half a surrogate pair at the cut is not a character.
  const whole = cut.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
  return withBulk(kept.length > 0 ? joinSegments(kept) : whole, bulkTokens, target)
}

/**
 * Takes over the changes of several branches' workspaces, in order, and returns the paths of conflicts: files to which two
 * branches gave different contents. The later one wins.
 */
export function mergeFiles(workspace: Workspace, copies: readonly Workspace[]): string[] {
  const [first, ...others] = copies
  if (!first) return []
  const base = new Map(workspace.list().map((path) => [path, workspace.read(path)]))
  const changedBy = (copy: Workspace) =>
    [...new Set([...base.keys(), ...copy.list()])].filter((path) => copy.read(path) !== base.get(path))
  const changed = new Set(changedBy(first))
  const conflicts = new Set<string>()
  workspace.adopt(first)
  for (const copy of others)
    for (const path of changedBy(copy)) {
      if (changed.has(path) && copy.read(path) !== workspace.read(path)) conflicts.add(path)
      changed.add(path)
      workspace.apply([{ path, content: copy.read(path) ?? null }])
    }
  return [...conflicts]
}
