import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unprivilegedUser } from './adapters/find-bubblewrap.ts'
import { parseOwner } from './folders/folder-owner.ts'
import { removeFolder } from './folders/private-folder.ts'
import { isAlive } from './machine/process-identity.ts'
import { killMarkedProcesses } from './process/process-tree.ts'

/**
 * Removes what killed harness processes left behind: private folders whose owner has ended, and the processes that still run
 * in them. Touches only folders with bench's name pattern that belong to this user, and never follows links. Returns the number
 * of removed folders.
 */
export async function sweepLeftovers(): Promise<number> {
  const place = realpathSync(tmpdir())
  const left = readdirSync(place).filter((name) => {
    const owner = parseOwner(name)
    return owner !== undefined && !isAlive(owner) && isOurs(join(place, name))
  })
  let gone = 0
  for (const name of left) {
    const base = join(place, name)
    await killMarkedProcesses(base)
    if (await removeFolder(base)) gone++
  }
  return gone
}

function isOurs(path: string): boolean {
  try {
    const stat = lstatSync(path)
    const user = process.getuid?.()
    // Root gives folders to the user that it runs code as. On a system without user ids, the temporary folder is the user's own.
    const isMine = user === undefined || stat.uid === user || (user === 0 && stat.uid === unprivilegedUser)
    return stat.isDirectory() && isMine
  } catch {
    return false // another process removed it
  }
}
