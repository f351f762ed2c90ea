import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { UserError } from '../../text/errors.ts'
import type { Sample } from '../suite.ts'
import { firstFields } from './first-fields.ts'
import { readText } from './read-lines.ts'

const longestText = 64 * 1024
const mostPaths = 1000
const deepest = 3

/** Takes the beginning of a file, or the first names of a folder. Undefined if there is nothing to read at the path. */
export async function takeSample(path: string): Promise<Sample | undefined> {
  const stats = statSync(path, { throwIfNoEntry: false })
  const name = basename(path)
  if (stats?.isDirectory()) return { kind: 'folder', name, paths: firstPaths(path) }
  if (!stats?.isFile()) return undefined
  const text = await firstText(path)
  return text === undefined ? undefined : { kind: 'file', name, text, fields: firstFields(text) }
}

async function firstText(path: string): Promise<string | undefined> {
  let text = ''
  try {
    for await (const part of readText(path)) {
      text += part
      if (text.length >= longestText) break
    }
    return text.slice(0, longestText)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** Lists a folder level by level. Links are names like those of files: they are not followed. */
function firstPaths(folder: string): string[] {
  const paths: string[] = []
  let level = ['']
  for (let depth = 0; depth < deepest; depth++) {
    const next: string[] = []
    for (const above of level)
      for (const entry of entries(join(folder, above))) {
        if (paths.length >= mostPaths) return paths
        if (['.git', 'node_modules'].includes(entry.name)) continue
        const path = `${above}${entry.name}${entry.isDirectory() ? '/' : ''}`
        paths.push(path)
        if (entry.isDirectory()) next.push(path)
      }
    level = next
  }
  return paths
}

function entries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
