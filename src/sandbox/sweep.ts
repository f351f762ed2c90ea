import { lstatSync, readdirSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unprivilegedUser } from './adapters/find-bubblewrap.ts'
import { parseOwner } from './folders/folder-owner.ts'
import { removeFolder } from './folders/private-folder.ts'
import { isAlive } from './machine/process-identity.ts'
import { killMarkedProcesses } from './process/process-tree.ts'

/**
 * Removes what earlier processes of the harness left behind when they were killed: private folders whose owner has
 * ended, and what still runs in them. Only folders that bear our mark and belong to us, never what a link leads to.
 * Gives how many are gone.
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
    // Root hands folders over to whom it runs code as. Where the system knows no users, the temporary folder is one's own.
    const isMine = user === undefined || stat.uid === user || (user === 0 && stat.uid === unprivilegedUser)
    return stat.isDirectory() && isMine
  } catch {
    return false // somebody else swept it
  }
}
