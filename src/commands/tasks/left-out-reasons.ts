import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isRunFolder } from '../terminal/run-files.ts'
import { isKeyFile, isKeyFolder } from './key-names.ts'
import { findKeyText } from './key-text.ts'

const versionControl = new Set(['.git', '.hg', '.svn', '.jj', '.bzr', '.sl', '.pijul', '_darcs', 'cvs'])
const toolFolders = new Set(['node_modules', 'bower_components', '__pycache__'])

/** Why a folder is left out with all that is in it. */
export function folderReason(folder: string, path: string): string | undefined {
  const name = path.split('/').at(-1)?.toLowerCase() ?? ''
  const has = (file: string) => existsSync(join(folder, path, file))
  if (versionControl.has(name) || (has('HEAD') && has('objects') && has('refs')))
    return 'belongs to version control'
  if (toolFolders.has(name) || has('pyvenv.cfg')) return 'is made by tools'
  if (isRunFolder(join(folder, path))) return 'is a run of bench'
  return isKeyFolder(path) ? 'is a place for keys' : undefined
}

/** Why a file is left out for its name. */
export function fileReason(path: string): string | undefined {
  if (path.split('/').at(-1) === '.git') return 'belongs to version control'
  return isKeyFile(path) ? 'is named like a key' : undefined
}

/** Why a file is left out for what stands in it. */
export function contentReason(text: string, path: string): string | undefined {
  const key = findKeyText(text, path)
  if (key !== undefined) return `holds what looks like ${key}`
  return isResultsPage(text) ? 'is a results page of bench' : undefined
}

/** As src/reports/html/page.ts writes it. */
const isResultsPage = (text: string) =>
  /^<!doctype html>/i.test(text) && text.includes('<script type="application/json" id="stories">')
