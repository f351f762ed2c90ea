import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file whole or not at all: into a draft beside it, which is then renamed. `content` is a text, or what writes to the
 * draft. With `durable` the file is on the disk before this returns. With `alone` nobody else writes the file meanwhile, and the next
 * draft takes the place of one that a kill has left.
 */
export function writeAtomic(
  path: string,
  content: string | ((fd: number) => void),
  { mode, durable = false, alone = false }: { mode?: number; durable?: boolean; alone?: boolean } = {},
): void {
  const draft = `${path}.${alone ? 'draft' : randomUUID()}`
  try {
    const fd = openSync(draft, 'w', mode)
    try {
      if (typeof content === 'string') writeFileSync(fd, content)
      else content(fd)
      if (durable) fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  if (durable) syncFolder(dirname(path))
}

/** Makes the names in a folder durable. */
export function syncFolder(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
