import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { folderPrefix } from '../sandbox/folder-owner.ts'
import type { Files } from '../schema/task.ts'

/** Folders that tools make beside the work; never part of a change set. */
const leftOut = new Set(['.git', 'node_modules', '__pycache__'])

/** A full private copy of files in a folder of its own: copies, never links, which would leak between trials. */
export function materialise(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), folderPrefix()))
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
  }
  return folder
}

/** Text files of a folder, and the paths that are not text or not plain files. */
export function readFolder(folder: string): { files: Files; skipped: string[] } {
  const files: Record<string, string> = {}
  const skipped: string[] = []
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const visit = (relative: string) => {
    const entries = readdirSync(join(folder, relative), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`
      if (entry.isDirectory()) {
        // A run of bench's own is no part of the work, least of all the one that is about to begin.
        if (!leftOut.has(entry.name) && !existsSync(join(folder, path, 'run.json'))) visit(path)
      } else if (!entry.isFile()) skipped.push(path)
      else {
        try {
          files[path] = decoder.decode(readFileSync(join(folder, path)))
        } catch {
          skipped.push(path)
        }
      }
    }
  }
  visit('')
  return { files, skipped }
}

/** Removes a folder and all in it; none is no error. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
