import { wellFormed } from '../../replies/clean-data.ts'
import { describeType } from '../../schema/method/ask-options.ts'
import type { FileEdit, Workspace } from '../../strategy.ts'
import { check } from '../ask/visible-checks.ts'
import { mayWrite, trackEffect } from '../branch/begin-effect.ts'
import { checkEdits } from '../branch/check-result.ts'
import type { Branch } from '../branch/trial-state.ts'
import { adoptState, applyEdits, filesOf, readFile, type State, unifiedDiff } from '../branch/workspace.ts'

/** Key of a workspace's state, which strategies do not see. */
const own = Symbol('state')

/** Returns the workspace of a branch, as its strategy sees it. */
export function workspaceOf(branch: Branch): Workspace {
  const { state } = branch
  const workspace: Workspace & { [own]?: State } = {
    list: () => Object.keys(filesOf(state)).sort(),
    read: (path) => readFile(state, path),
    apply: (edits) => {
      if (!mayWrite(branch, 'workspace.apply()')) return
      checkEdits(edits)
      const { redact } = branch.trialState.run
      const known = edits.map(wellFormedEdit)
      applyEdits(state, redact ? redact.data(known) : known, 'reply')
    },
    diff: () => unifiedDiff(state),
    check: () => trackEffect(branch, 'check()', () => check(branch, state)),
    adopt: (other) => {
      const taken = (other as typeof workspace | null | undefined)?.[own]
      if (!taken || taken.base !== state.base)
        throw new Error(
          `[strategy] adopt() takes the workspace of a branch of this trial, got ${taken ? 'one of another trial' : describeType(other)}.`,
        )
      if (!mayWrite(branch, 'workspace.adopt()')) return
      adoptState(state, taken)
      branch.hasAdopted = true
    },
  }
  workspace[own] = state
  return workspace
}

/** A path that no file can have is refused; of a text, only halves of surrogate pairs are replaced. */
const wellFormedEdit = ({ path, content }: FileEdit): FileEdit => ({ path, content: wellFormed(content) })
