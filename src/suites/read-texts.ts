import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Problem } from '../text/errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

// Left by operating systems, never meant.
const litter = new Set(['.DS_Store', 'Thumbs.db'])

/** All texts in a folder and those below it, by relative path with `/`; links and binary files are problems. No folder, no texts. */
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
        fix: 'Put a copy of the file here: tasks hold texts only.',
      })
    }
  }
}

/** One file's text; a problem and undefined where it is not UTF-8 text. */
export function readText(path: string, problems: Problem[]): string | undefined {
  const bytes = readFileSync(path)
  try {
    if (!bytes.includes(0)) return decoder.decode(bytes)
  } catch {
    // Told below.
  }
  problems.push({
    where: path,
    what: 'is not UTF-8 text',
    fix: 'Tasks hold texts only: encode it, or let a file make it.',
  })
  return undefined
}

/** A folder's entries by name; none where there is no folder. */
export function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
