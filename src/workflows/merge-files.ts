import type { Workspace } from '../strategy.ts'

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
