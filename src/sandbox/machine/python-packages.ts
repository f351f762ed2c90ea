import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { runTool } from './run-tool.ts'

/** How a task requires a package of Python's: `python:numpy`. */
export const packagePrefix = 'python:'

/** A file or folder of an installed package. */
export interface PackagePart {
  /** Folder in which packages are installed. */
  root: string
  /** Its path in there. */
  name: string
}

/** An installed package with all that it needs. */
export interface InstalledPackage {
  version: string
  parts: readonly PackagePart[]
}

/** Asks an interpreter for one of its packages; undefined where it has none of that name. Never rejects. */
export async function findPackage(python: string, name: string): Promise<InstalledPackage | undefined> {
  const program = join(packageRoot(), 'src/sandbox/programs/packages.py')
  const { failed, stdout } = await runTool(python, ['-B', program, name], { timeout: 30_000 })
  const found = failed ? [] : (JSON.parse(stdout) as { version: string; root: string; parts: string[] }[])
  const [first] = found
  const parts = found.flatMap(({ root, parts }) => parts.map((name) => ({ root, name })))
  return first && { version: first.version, parts }
}
