import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolders } from '../../base/make-folders.ts'
import type { FilePart } from '../../exports/exported-trial.ts'
import { UserError } from '../../text/errors.ts'
import { fileFault } from '../../text/file-fault.ts'
import { redactForFile } from '../terminal/standard-streams.ts'

/** Writes parts to stdout, as fast as its reader takes them. */
export async function printParts(parts: Iterable<FilePart>): Promise<void> {
  for (const { text } of parts) if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

/**
 * Writes parts of files into `out`, a new file or folder. It is written beside its place and renamed at the end, so that it is never half
 * there. Throws `UserError` if it cannot be written, and what the parts throw.
 */
export function writeParts(parts: Iterable<FilePart>, out: string): void {
  const draft = `${out.replace(/\/+$/, '')}.${randomUUID()}`
  const folders = new Set<string>()
  try {
    for (const { path, text } of parts)
      writing(out, () => {
        const file = path === '' ? draft : join(draft, path)
        const folder = dirname(file)
        if (!folders.has(folder)) makeFolders(folder)
        folders.add(folder)
        appendFileSync(file, redactForFile(text))
      })
    writing(out, () => renameSync(draft, out))
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

function writing(out: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    throw new UserError({
      where: `--out ${out}`,
      what: `cannot be written: ${fileFault(error)}`,
      fix: 'Give another path.',
    })
  }
}
