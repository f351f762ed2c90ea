import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../text/errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

// Files that operating systems create.
const litter = new Set(['.DS_Store', 'Thumbs.db'])

/** Returns all texts in a folder and its subfolders, by relative path with `/`. Links and binary files are problems. A missing folder is empty. */
export function readTexts(folder: string, problems: Problem[]): Record<string, string> {
  const texts: Record<string, string> = {}
  read(folder, '', texts, problems)
  return texts
}

function read(folder: string, prefix: string, texts: Record<string, string>, problems: Problem[]): void {
  for (const entry of entriesOf(join(folder, prefix))) {
    const path = prefix ? `${prefix}/${entry.name}` : entry.name
    if (litter.has(entry.name)) continue
    if (entry.isDirectory()) read(folder, path, texts, problems)
    else if (entry.isFile()) {
      const text = readText(join(folder, path), problems)
      if (text !== undefined) texts[path] = text
    } else {
      const what = entry.isSymbolicLink() ? 'is a symbolic link' : 'is neither a file nor a folder'
      problems.push({
        where: join(folder, path),
        what,
        fix: 'Replace it with a copy of the file; tasks contain only texts.',
      })
    }
  }
}

/** Returns one file's text. If it is not UTF-8, adds a problem and returns undefined. */
export function readText(path: string, problems: Problem[]): string | undefined {
  const bytes = readFileSync(path)
  try {
    if (!bytes.includes(0)) return decoder.decode(bytes)
  } catch {
    // Reported below.
  }
  problems.push({
    where: path,
    what: 'is not UTF-8 text',
    fix: 'Encode it as text, or add a file that creates it; tasks contain only texts.',
  })
  return undefined
}

/** Returns a folder's entries by name; none if the folder is missing. */
export function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
