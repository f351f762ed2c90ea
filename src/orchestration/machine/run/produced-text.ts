import type { Workspace } from '../../../strategy.ts'
import { filesContext, replyContext } from '../../work-context.ts'

/** Returns the text of an author's output: the reply and, where files differ from the task's, those files. */
export function producedText(
  reply: string,
  workspace: Workspace,
  taskFiles: ReadonlyMap<string, string>,
): string {
  const now = workspace.list()
  const changed = now.filter((path) => workspace.read(path) !== taskFiles.get(path))
  const removed = [...taskFiles.keys()].filter((path) => !now.includes(path))
  if (changed.length + removed.length === 0) return reply
  const words = changed.reduce((text, path) => withoutBlock(text, workspace.read(path) ?? ''), reply)
  return [
    replyContext(words.replace(/\n{3,}/g, '\n\n').trim(), workspace),
    ...(changed.length > 0
      ? [filesContext({ list: () => changed, read: (path) => workspace.read(path) })]
      : []),
    ...removed.map((path) => `DELETED: ${path}`),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Longest line of a path with its fence; characters. */
const longestHeading = 2_000

/** Returns a reply without the fenced block of a file, which is shown as a file anyway, and the line that names it. */
function withoutBlock(reply: string, content: string): string {
  const body = content.trimEnd()
  const at = body === '' ? -1 : reply.indexOf(body)
  if (at < 0) return reply
  const end = at + body.length
  const opened = /(?:^|(?<=\n))(?:[^\n]*FILE:[^\n]*\n\s*)?[ \t]*(?:`{3,}|~{3,})[^\n]*\n$/.exec(
    reply.slice(Math.max(0, at - longestHeading), at),
  )
  const closed = /^\s*\n[ \t]*(?:`{3,}|~{3,})[ \t]*(?=\n|$)/.exec(reply.slice(end, end + longestHeading))
  if (!opened || !closed) return reply
  return reply.slice(0, at - opened[0].length) + reply.slice(end + closed[0].length)
}
