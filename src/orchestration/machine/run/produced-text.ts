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
  return [
    replyContext(reply, workspace),
    ...(changed.length > 0
      ? [filesContext({ list: () => changed, read: (path) => workspace.read(path) })]
      : []),
    ...removed.map((path) => `DELETED: ${path}`),
  ].join('\n\n')
}
