import type { CheckResult, FileEdit, Workspace } from '../strategy.ts'

/** The files of a branch that is played. */
export interface PlayedFiles {
  base: ReadonlyMap<string, string>
  files(): Map<string, string>
  replace(files: Map<string, string>): void
  apply(edits: readonly FileEdit[]): void
}

/** Returns the files that a trial begins with. */
export const startFiles = (files: Readonly<Record<string, string>>): PlayedFiles =>
  filesOf(new Map(Object.entries(files)))

/** Returns a copy for a branch. */
export const forkFiles = (of: PlayedFiles): PlayedFiles => filesOf(of.base, new Map(of.files()))

function filesOf(base: ReadonlyMap<string, string>, start = new Map(base)): PlayedFiles {
  let current = start
  return {
    base,
    files: () => current,
    replace: (files) => {
      current = new Map(files)
    },
    apply: (edits) => {
      for (const { path, content } of edits) {
        if (content === null) current.delete(path)
        else current.set(path, content)
      }
    },
  }
}

/** Whether a file differs from those that the trial began with. */
export const hasChanged = ({ base, files }: PlayedFiles): boolean =>
  files().size !== base.size || [...files()].some(([path, content]) => base.get(path) !== content)

const owners = new WeakMap<Workspace, PlayedFiles>()

/** Returns a workspace over the files of a branch. */
export function playWorkspace(state: PlayedFiles, check: () => Promise<CheckResult>): Workspace {
  const workspace: Workspace = {
    list: () => [...state.files().keys()].sort(),
    read: (path) => state.files().get(path),
    apply: state.apply,
    // Not a unified diff, but empty exactly if no file changed.
    diff: () =>
      [...new Set([...state.base.keys(), ...state.files().keys()])]
        .filter((path) => state.base.get(path) !== state.files().get(path))
        .sort()
        .map((path) => `--- ${path}\n-${state.base.get(path) ?? ''}\n+${state.files().get(path) ?? ''}`)
        .join('\n'),
    check,
    adopt: (other) => {
      const taken = owners.get(other)
      if (!taken) throw new Error('adopt() takes a workspace of the same trial')
      state.replace(taken.files())
    },
  }
  owners.set(workspace, state)
  return workspace
}
