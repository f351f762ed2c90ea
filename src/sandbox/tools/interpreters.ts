import { closeSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'

/** Whether a program is an interpreter, which can load packages installed on the machine. */
export function isInterpreter(program: string): boolean {
  return /^(python|pypy|node)[\d.t]*$/.test(basename(program))
}

/** Whether a program is a Python script. */
export function isPythonScript(program: string): boolean {
  try {
    const bytes = Buffer.alloc(256)
    const file = openSync(program, 'r')
    try {
      readSync(file, bytes, 0, bytes.length, 0)
    } finally {
      closeSync(file)
    }
    return /^#!.*python/.test(bytes.toString('latin1'))
  } catch {
    return false // it does not exist, or is in the workspace
  }
}
