import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { schemaProblem } from './schema-problem.mjs'

const schema = JSON.parse(readFileSync(new URL('state.schema.json', import.meta.url), 'utf8'))

/** Bench takes no larger state file from a stage. */
const mostBytes = 8 * 1024 ** 2

/** Returns what is wrong with a state; undefined if nothing is. */
export const stateProblem = (state) => schemaProblem(state, schema)

/** Reads a state file. Returns the state and the file's text. */
export function readState(path) {
  const text = readText(path)
  let state
  try {
    state = JSON.parse(text)
  } catch {
    throw new Error(`the state file ${path} is not JSON; correct it, or begin another workflow`)
  }
  const problem = stateProblem(state)
  if (problem !== undefined)
    throw new Error(`the state file ${path} is not valid: ${problem}; correct it, or begin another workflow`)
  return { state, text }
}

function readText(path) {
  let bytes
  try {
    if (statSync(path).size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`)
    bytes = readFileSync(path)
  } catch (error) {
    throw new Error(`the state file ${path} cannot be read: ${error.message}`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error(`the state file ${path} is not UTF-8 text; correct it, or begin another workflow`)
  }
}

/**
 * Replaces a state file whole: whoever reads it, or finds it after a crash, sees the old state or the new one. `before` is the
 * text that the state was read from; a file that has another one by now is left alone.
 */
export function writeState(path, state, before) {
  const problem = stateProblem(state)
  if (problem !== undefined) throw new Error(`the new state is not valid: ${problem}`)
  const text = `${JSON.stringify(state, null, 2)}\n`
  if (Buffer.byteLength(text) > mostBytes)
    throw new Error(`the new state has more than ${mostBytes} bytes; the work is too large for a state file`)
  if (before !== undefined && readText(path) !== before)
    throw new Error(`the state file ${path} was changed by someone else meanwhile; run the stage again`)
  const draft = `${path}.draft-${process.pid}`
  try {
    writeSynced(draft, text)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new Error(`the state file ${path} cannot be written: ${error.message}`)
  }
  syncFolder(dirname(path))
}

function writeSynced(path, text) {
  const file = openSync(path, 'w', 0o644)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Without this the new name may be lost when the machine stops. Not every file system can do it. */
function syncFolder(path) {
  try {
    const folder = openSync(path, 'r')
    fsyncSync(folder)
    closeSync(folder)
  } catch {}
}
