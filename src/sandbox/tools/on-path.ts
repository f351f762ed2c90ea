import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { InfrastructureError } from '../../text/errors.ts'
import { packagePrefix } from '../machine/python-packages.ts'

const remedies: Readonly<Record<string, string>> = {
  node: 'Install Node 20 or newer from https://nodejs.org.',
  python3:
    'Install Python 3.8 or newer (https://www.python.org, `apt install python3`, `brew install python`).',
  pytest: 'Install it with `python3 -m pip install pytest`.',
  git: 'Install git (https://git-scm.com, `apt install git`, `brew install git`).',
  'rsvg-convert': 'Install librsvg (`apt install librsvg2-bin`, `brew install librsvg`).',
}

/** Returns how to install a program, as a sentence. */
export function remedyFor(program: string): string {
  if (program.startsWith(packagePrefix))
    return `Install it with \`python3 -m pip install ${program.slice(packagePrefix.length)}\`.`
  return remedies[program] ?? `Install ${program} and put it on PATH, or choose tasks that do not require it.`
}

/** Returns the path of a program named as in a shell; undefined if there is none. */
export function findOnPath(program: string): string | undefined {
  if (program.includes('/')) return isAbsolute(program) && isExecutable(program) ? program : undefined
  const folders = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)
  return folders.map((folder) => join(folder, program)).find(isExecutable)
}

/** Returns the path of a program, or throws `InfrastructureError` with the remedy. A relative path is in the workspace. */
export function requireProgram(program: string): string {
  const path = program.includes('/') && !isAbsolute(program) ? program : findOnPath(program)
  if (path === undefined)
    throw new InfrastructureError(`the program ${program} was not found. ${remedyFor(program)}`)
  return path
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
