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
import { draftOf, removeLostDrafts } from './drafts.mjs'
import { findBuilt } from './start-tool.mjs'

const schema = JSON.parse(readFileSync(findBuilt('state.schema.json'), 'utf8'))

/** Bench takes no larger state file from a stage. */
const mostBytes = 8 * 1024 ** 2

/** Returns what is wrong with a state; undefined if nothing is. */
export const stateProblem = (state) => schemaProblem(state, schema)

/** Whether a value is what a state may have in a field. */
export const isResult = (field, value) => schemaProblem(value, schema.properties[field], schema) === undefined

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

/** Returns the text of a state file. Throws if the state is not valid or is too large. */
export function stateText(state) {
  const problem = stateProblem(state)
  if (problem !== undefined) throw new Error(`the new state is not valid: ${problem}`)
  const text = `${JSON.stringify(state, null, 2)}\n`
  if (Buffer.byteLength(text) > mostBytes)
    throw new Error(`the new state has more than ${mostBytes} bytes; the work is too large for a state file`)
  return text
}

/**
 * Replaces a state file whole: whoever reads it, or finds it after a crash, sees the old state or the new one. `before` is the
 * text that the state was read from; a file that has another one by now is left alone.
 */
export function writeState(path, state, before) {
  const text = stateText(state)
  if (before !== undefined && readText(path) !== before)
    throw new Error(`the state file ${path} was changed by someone else meanwhile; run the stage again`)
  const draft = draftOf(path)
  try {
    writeSynced(draft, text)
    renameSync(draft, path)
    removeLostDrafts(path)
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

/** Keywords that say nothing about a value here. */
const silent = ['$schema', '$defs', 'propertyNames']

const types = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

/** Each keyword returns what is wrong with a value, or undefined. */
const keywords = {
  const: (value, wanted) => (value === wanted ? undefined : `must be ${JSON.stringify(wanted)}`),
  enum: (value, wanted) => (wanted.includes(value) ? undefined : `must be one of ${wanted.join(', ')}`),
  minLength: (value, least) => (value.length >= least ? undefined : `must have at least ${least} characters`),
  pattern: (value, source) => (new RegExp(source).test(value) ? undefined : `must match ${source}`),
  minimum: (value, least) => (value >= least ? undefined : `must be at least ${least}`),
  exclusiveMinimum: (value, bound) => (value > bound ? undefined : `must be greater than ${bound}`),
  maximum: (value, most) => (value <= most ? undefined : `must be at most ${most}`),
}

/**
 * Returns what is wrong with a value by a JSON Schema, with its place; undefined if nothing is. It knows the keywords of
 * state.schema.json, and throws for others: a keyword that is passed over would let wrong values in.
 */
function schemaProblem(value, schema, root = schema, place = '') {
  const problem = (text) => `${place || 'the state'} ${text}`
  const { type, properties = {}, required = [], additionalProperties, items, anyOf, $ref, ...rest } = schema
  if ($ref !== undefined) return schemaProblem(value, resolve(root, $ref), root, place)
  if (anyOf?.every((one) => schemaProblem(value, one, root, place)))
    return problem('is none of what it may be')
  if (type !== undefined && !types[type](value)) return problem(`must be ${article(type)}`)
  for (const [keyword, wanted] of Object.entries(rest)) {
    if (silent.includes(keyword)) continue
    if (!Object.hasOwn(keywords, keyword)) throw new Error(`the schema has the unknown keyword ${keyword}`)
    const wrong = keywords[keyword](value, wanted)
    if (wrong !== undefined) return problem(wrong)
  }
  if (type === 'array')
    return firstProblem(value, (one, index) => schemaProblem(one, items, root, `${place}[${index}]`))
  if (type !== 'object') return undefined
  const missing = required.find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) return problem(`must have "${missing}"`)
  return firstProblem(Object.entries(value), ([name, one]) => {
    const inner = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (inner === false) return problem(`must not have "${name}"`)
    return schemaProblem(one, inner ?? {}, root, place === '' ? name : `${place}.${name}`)
  })
}

function firstProblem(list, find) {
  for (const [index, one] of list.entries()) {
    const problem = find(one, index)
    if (problem !== undefined) return problem
  }
  return undefined
}

const resolve = (root, reference) =>
  reference
    .split('/')
    .slice(1)
    .reduce((part, name) => part[name], root)

const article = (type) => (type === 'null' ? 'null' : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)
