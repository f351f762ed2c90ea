import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Drafts of this process; a signal may end it before it removes them. */
const drafts = new Set()
process.once('exit', () => {
  for (const path of drafts) rmSync(path, { recursive: true, force: true })
})

/** Returns the path of this process's draft of a file or folder, which takes its place by renaming. */
export function draftOf(path) {
  const draft = join(dirname(path), `.draft-${process.pid}-${basename(path)}`)
  drafts.add(draft)
  return draft
}

/** Removes the drafts of a file or folder whose processes were ended before they could do so. */
export function removeLostDrafts(path) {
  const folder = dirname(path)
  for (const name of readdirSync(folder)) {
    const [, pid, of] = /^\.draft-(\d+)-(.*)$/.exec(name) ?? []
    if (of === basename(path) && !isAlive(Number(pid)))
      rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user is alive as well.
    return error.code !== 'ESRCH'
  }
}
