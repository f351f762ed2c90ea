import { readFileSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

const imported = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g

/** Returns the sources of a file and of what it imports by a relative path, by path from the file's folder. */
export function readSources(file: string): Record<string, string> {
  const sources: Record<string, string> = {}
  const open = [file]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const name = relative(dirname(file), path)
    if (Object.hasOwn(sources, name)) continue
    const text = readFileSync(path, 'utf8')
    sources[name] = text
    for (const [, , specifier = ''] of text.matchAll(imported)) {
      const named = resolve(dirname(path), specifier)
      const found = [named, named.replace(/js$/, 'ts'), `${named}.ts`, `${named}.js`, `${named}.mjs`].find(
        isPlainFile,
      )
      if (found !== undefined) open.push(found)
    }
  }
  return sources
}

/** Reports whether there is a file at a path. */
export function isPlainFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
