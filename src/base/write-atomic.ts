import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file atomically: into a draft beside it, which is then renamed. `content` is a text, or a function that writes to the
 * draft. With `durable` the file is synced to disk before this returns. `singleWriter` promises that no other process writes the
 * file: then a draft that a killed process left is overwritten.
 */
export function writeAtomic(
  path: string,
  content: string | ((fd: number) => void),
  {
    mode,
    durable = false,
    singleWriter = false,
  }: { mode?: number; durable?: boolean; singleWriter?: boolean } = {},
): void {
  const draft = `${path}.${singleWriter ? 'draft' : randomUUID()}`
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
  if (durable) syncPath(dirname(path))
}

/** Syncs a file, or the names in a folder, to disk. */
export function syncPath(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
