import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isKeyFile, isKeyFolder } from '../../text/key-names.ts'
import { findKeyText } from '../../text/key-text.ts'
import { isRunFolder } from '../terminal/run-files.ts'

const versionControl = new Set(['.git', '.hg', '.svn', '.jj', '.bzr', '.sl', '.pijul', '_darcs', 'cvs'])
const toolFolders = new Set(['node_modules', 'bower_components', '__pycache__'])

/** Returns the reason to leave out a folder with all its contents, or undefined. */
export function folderReason(folder: string, path: string): string | undefined {
  const name = path.split('/').at(-1)?.toLowerCase() ?? ''
  const has = (file: string) => existsSync(join(folder, path, file))
  if (versionControl.has(name) || (has('HEAD') && has('objects') && has('refs')))
    return 'belongs to version control'
  if (toolFolders.has(name) || has('pyvenv.cfg')) return 'is made by tools'
  if (isRunFolder(join(folder, path))) return 'is a run of bench'
  return isKeyFolder(path) ? 'is a folder for keys' : undefined
}

/** Returns the reason to leave out a file because of its name, or undefined. */
export function fileReason(path: string): string | undefined {
  if (path.split('/').at(-1) === '.git') return 'belongs to version control'
  return isKeyFile(path) ? 'is named like a key' : undefined
}

/** Returns the reason to leave out a file because of its content, or undefined. */
export function contentReason(text: string, path: string): string | undefined {
  const key = findKeyText(text, path)
  if (key !== undefined) return `holds what looks like ${key}`
  return isResultsPage(text) ? 'is a results page of bench' : undefined
}

/** Recognises the page that src/reports/html/page.ts writes. */
const isResultsPage = (text: string) =>
  /^<!doctype html>/i.test(text) && text.includes('<script type="application/json" id="stories">')
