import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { InfrastructureError } from '../../text/errors.ts'
import { remedyFor } from './tools.ts'

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
