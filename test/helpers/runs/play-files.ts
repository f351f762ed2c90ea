import type { CheckResult, FileEdit, Workspace } from '../../../src/strategy.ts'

/** The files of a branch. */
export interface State {
  base: ReadonlyMap<string, string>
  files(): Map<string, string>
  replace(files: Map<string, string>): void
  apply(edits: readonly FileEdit[]): void
}

export const startState = (files: Readonly<Record<string, string>>) => stateOf(new Map(Object.entries(files)))
export const forkState = (state: State) => stateOf(state.base, new Map(state.files()))

function stateOf(base: ReadonlyMap<string, string>, start = new Map(base)): State {
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

export const hasChanged = ({ base, files }: State) =>
  files().size !== base.size || [...files()].some(([path, content]) => base.get(path) !== content)

const states = new WeakMap<Workspace, State>()

/** Returns the workspace of a played branch. */
export function workspaceOf(state: State, check: () => Promise<CheckResult>): Workspace {
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
      const taken = states.get(other)
      if (!taken) throw new Error('adopt() takes a workspace of the same trial')
      state.replace(taken.files())
    },
  }
  states.set(workspace, state)
  return workspace
}
