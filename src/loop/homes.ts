import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderPrefix } from '../sandbox/folder-owner.ts'
import type { Branch } from './branch.ts'
import type { TrialDoor } from './door.ts'
import { removeFolder } from './folder.ts'

/** HOME of the agents in a branch: nothing that one trial, or one branch, left there is seen by another. */
export function homeOf(door: TrialDoor, { path }: Branch): string {
  const home = door.homes.get(path) ?? mkdtempSync(join(tmpdir(), folderPrefix()))
  door.homes.set(path, home)
  return home
}

/** Removes them all at a trial's end. */
export async function removeHomes(homes: ReadonlyMap<string, string>): Promise<void> {
  for (const home of homes.values()) await removeFolder(home)
}
