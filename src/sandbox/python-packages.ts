import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../package-root.ts'
import { withoutSecrets } from './without-secrets.ts'

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
export function lookUpPackage(python: string, name: string): Promise<InstalledPackage | undefined> {
  const program = join(packageRoot(), 'src/sandbox/programs/packages.py')
  const options = {
    env: withoutSecrets(),
    timeout: 30_000,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 1024 ** 2,
  } as const
  return new Promise((resolve) => {
    execFile(python, ['-B', program, name], options, (error, stdout) => {
      const found = error ? [] : (JSON.parse(stdout) as { version: string; root: string; parts: string[] }[])
      const [first] = found
      if (!first) return resolve(undefined)
      const parts = found.flatMap(({ root, parts }) => parts.map((name) => ({ root, name })))
      resolve({ version: first.version, parts })
    })
  })
}
