import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentWorkspace } from '../agents/agent.ts'
import { folderPrefix } from '../sandbox/folder-owner.ts'
import type { Branch } from './branch.ts'
import { visibleChecks } from './check.ts'
import type { TrialDoor } from './door.ts'
import { materialise, removeFolder } from './folder.ts'
import { filesOf, stateDigest } from './workspace.ts'

/** A folder that an agent asked for, so that the door can read and remove it. */
export interface OpenFolder {
  path?: string
  remove?(): Promise<void>
}

/** The branch's files as an agent reaches them. A folder is made only when one is asked for. */
export function agentWorkspace(door: TrialDoor, branch: Branch, folder: OpenFolder): AgentWorkspace {
  const { run } = door
  return {
    files: () => filesOf(branch.state),
    peek() {
      const state = stateDigest(branch.state)
      const known = door.peeked.get(state)
      if (known) return known
      const result = visibleChecks(door, filesOf(branch.state), run.signal)
      door.peeked.set(state, result)
      // Checks that broke say nothing of the files: whoever looks again looks anew.
      result.catch(() => door.peeked.delete(state))
      return result
    },
    async folder() {
      if (folder.path === undefined) {
        const path = materialise(filesOf(branch.state))
        folder.path = path
        folder.remove = () => removeFolder(path)
      }
      return folder.path
    },
    home: () => homeOf(door, branch),
  }
}

/** HOME of the agents in a branch: nothing that one trial, or one branch, left there is seen by another. */
export function homeOf(door: TrialDoor, { path }: Branch): string {
  door.homes ??= new Map()
  const home = door.homes.get(path) ?? mkdtempSync(join(tmpdir(), folderPrefix()))
  door.homes.set(path, home)
  return home
}

/** Removes them all at a trial's end. */
export async function removeHomes(homes: ReadonlyMap<string, string>): Promise<void> {
  for (const home of homes.values()) await removeFolder(home)
}
