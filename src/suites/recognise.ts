import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { UserError } from '../text/errors.ts'
import { readText } from './files/read-lines.ts'
import type { Importer, Sample } from './suite.ts'

function recognise(sample: Sample, importers: readonly Importer[]): Importer | undefined {
  const answers = importers.map((importer) => ({ importer, answer: importer.recognises?.(sample) }))
  const found =
    answers.find(({ answer }) => answer === 'certain') ?? answers.find(({ answer }) => answer === 'possible')
  return found?.importer
}

/** Returns the importer whose format a file or folder has; undefined if none fits, or nothing is there. */
export async function recognisePath(
  path: string,
  importers: readonly Importer[],
): Promise<Importer | undefined> {
  const sample = await takeSample(path)
  return sample && recognise(sample, importers)
}

const longestText = 64 * 1024
const mostPaths = 1000
const deepest = 3

async function takeSample(path: string): Promise<Sample | undefined> {
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

/**
 * Returns the field names of the first JSON object in a text: of a line of JSONL, of the first item of a list, or of the text as a whole,
 * which may be cut. Empty if the text does not begin as JSON.
 */
function firstFields(text: string): string[] {
  const start = /^\s*(?:\[\s*)?\{/.exec(text)
  if (!start) return []
  const fields: string[] = []
  let depth = 1
  let isKey = true
  for (let at = start[0].length; at < text.length && depth > 0; at++) {
    const sign = text[at]
    if (sign === '"') {
      const end = endOfString(text, at)
      if (isKey && depth === 1 && end < text.length) fields.push(parseKey(text.slice(at, end + 1)))
      isKey = false
      at = end
    } else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    else if (sign === ',' && depth === 1) isKey = true
  }
  return fields
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function parseKey(json: string): string {
  try {
    return JSON.parse(json) as string
  } catch {
    return json.slice(1, -1)
  }
}
