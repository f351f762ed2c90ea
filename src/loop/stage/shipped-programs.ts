import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'

const read = new Map<string, Readonly<Record<string, string>>>()

/**
 * Returns the texts of files of the package by name, and of the files in folders of it, sorted. They are read once: each trial of a
 * chain needs them, and they are long. Throws if one is missing.
 */
export function readPrograms(paths: readonly string[]): Readonly<Record<string, string>> {
  const key = paths.join('\n')
  const known = read.get(key)
  if (known) return known
  const files = paths.flatMap((path) => filesAt(join(packageRoot(), path)))
  const texts = Object.fromEntries(
    files.map((path) => [basename(path), readFileSync(path, 'utf8')] as const).sort(byName),
  )
  read.set(key, texts)
  return texts
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]) => (a < b ? -1 : 1)

function filesAt(path: string): string[] {
  if (/\.\w+$/.test(basename(path))) return [present(path)]
  return readdirSync(present(path), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(path, name))
}

function present(path: string): string {
  if (existsSync(path)) return path
  throw new Error(`${path} is missing. Build bench: run \`npm run prepare\` in its folder.`)
}
