import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { runTool } from './run-tool.ts'

/** The prefix by which a task requires a Python package: `python:numpy`. */
export const packagePrefix = 'python:'

/** A file or folder of an installed package. */
export interface PackagePart {
  /** The folder in which packages are installed. */
  root: string
  /** Its path in that folder. */
  name: string
}

interface InstalledPackage {
  version: string
  parts: readonly PackagePart[]
}

/** Finds a package of a Python interpreter; undefined if it is not installed. Never rejects. */
export async function findPackage(python: string, name: string): Promise<InstalledPackage | undefined> {
  const program = join(packageRoot(), 'src/sandbox/programs/packages.py')
  const { failed, stdout } = await runTool(python, ['-B', program, name], { timeout: 30_000 })
  const found = failed ? [] : (JSON.parse(stdout) as { version: string; root: string; parts: string[] }[])
  const [first] = found
  const parts = found.flatMap(({ root, parts }) => parts.map((name) => ({ root, name })))
  return first && { version: first.version, parts }
}
