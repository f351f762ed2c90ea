import { pathProblem } from '../../sandbox/folders/paths.ts'
import type { Files } from '../../schema/task.ts'
import { contentReason, fileReason, readWorkspace, resolveIncludedPaths } from '../tasks/workspace-files.ts'

/**
 * Returns the files that a workflow began with as a stage may see them. What is left out of the workspace is left out here, too: else
 * a stage would take it for deleted, and could read it.
 */
export async function visibleStart(
  start: Files,
  workspace: string,
  include: readonly string[],
): Promise<Record<string, string>> {
  const included = resolveIncludedPaths(workspace, include)
  const { leftOut } = await readWorkspace(workspace, included)
  const isLeftOut = (path: string) =>
    leftOut.some((one) => path === one.path || (one.path.endsWith('/') && path.startsWith(one.path)))
  const visible = Object.entries(start).filter(
    ([path, text]) =>
      !isLeftOut(path) &&
      pathProblem(path) === undefined &&
      (included.includes(path) ||
        (fileReason(path) === undefined && contentReason(text, path) === undefined)),
  )
  return Object.fromEntries(visible)
}
