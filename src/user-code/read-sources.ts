import { readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sha256 } from '../text/canonical-json.ts'

/** A text between two equal quotes, whatever loads the file that it names: `import`, `require`, or a URL that is made of it. */
const literal = /(?<=(['"`]))[^'"`\n]{1,300}(?=\1)/g
const isRelative = (text: string) => /^\.{1,2}\//.test(text)
const isScript = (text: string) => /\.[cm]?[jt]sx?(?:[?#].*)?$/.test(text)

/**
 * Returns the sources of a file and of what it loads, by path from the file's folder: each file that a text of a module names by a
 * relative path, or by a name that ends like one of code. Of a file that is no code, its SHA-256.
 */
export function readSources(file: string): Record<string, string> {
  const sources: Record<string, string> = {}
  const open = [file]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const name = relative(dirname(file), path)
    if (Object.hasOwn(sources, name)) continue
    const isCode = path === file || isScript(path) || path.endsWith('.json')
    const text = isCode ? readFileSync(path, 'utf8') : sha256(readFileSync(path))
    sources[name] = text
    if (isCode) open.push(...namedFiles(text, dirname(path)))
  }
  return sources
}

/** Returns the files that texts of a source name. What a name leads to, with which ending, is up to what loads it. */
function namedFiles(source: string, folder: string): string[] {
  const names = [...new Set(source.match(literal))].filter((name) => isRelative(name) || isScript(name))
  return names
    .flatMap((name) => [resolve(folder, name), ...pathOfUrl(name, folder)])
    .flatMap((path) => [
      path,
      path.replace(/js$/, 'ts'),
      ...['ts', 'js', 'mjs', 'cjs', 'json'].map((end) => `${path}.${end}`),
      ...['package.json', 'index.js', 'index.cjs', 'index.mjs', 'index.ts'].map((one) => join(path, one)),
    ])
    .filter(isPlainFile)
}

/** Returns the path of an imported name, which may have a query and escapes. */
function pathOfUrl(name: string, folder: string): string[] {
  try {
    return [fileURLToPath(new URL(name, `${pathToFileURL(folder)}/`))]
  } catch {
    return []
  }
}

/** Reports whether there is a file at a path. */
export function isPlainFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
