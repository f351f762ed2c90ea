import { describeType, isPromise, notTextMessage } from '../../schema/method/ask-options.ts'
import type { FileEdit } from '../../strategy.ts'

// A strategy may be a user's, written without types. Its arguments go into the journal, and a wrong value there could not be
// replayed or resumed, so it is rejected here, as the method's error.

/** Throws unless the value is a string; `what` names it in the error. */
export function checkText(what: string, value: unknown): void {
  if (typeof value !== 'string') throw new Error(`[strategy] ${what} ${notTextMessage(value)}`)
}

/** Throws unless the value is a function; `what` names it in the error. */
export function checkFunction(what: string, value: unknown): void {
  if (typeof value === 'function') return
  const given = isPromise(value) ? 'a promise: pass the function that makes it' : describeType(value)
  throw new Error(`[strategy] ${what} must be a function of the branch's context, got ${given}.`)
}

/** Returns a copy of the value that went through JSON. Throws unless that copy is a plain object. */
export function toPlainObject<Value extends object>(what: string, value: Value): Value {
  if (isPromise(value)) throw new Error(`[strategy] ${what} is a promise; await it first.`)
  const text = JSON.stringify(value) as string | undefined
  const plain: unknown = text === undefined ? undefined : JSON.parse(text, dropPrototype)
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain))
    throw new Error(
      `[strategy] ${what} must be a plain object, such as { done: 3 }, got ${describeType(plain)}.`,
    )
  return plain as Value
}

// Drops `__proto__`: copying it sets the prototype.
const dropPrototype = (key: string, value: unknown) => (key === '__proto__' ? undefined : value)

/** Throws unless the edits are an array of paths with string content, or null content for a deleted file. */
export function checkEdits(what: string, edits: readonly FileEdit[]): void {
  if (!Array.isArray(edits))
    throw new Error(`[strategy] ${what} expects an array of { path, content }, got ${describeType(edits)}.`)
  for (const edit of edits) {
    checkText(`${what}: an edit's path`, edit?.path)
    if (edit.content !== null) checkText(`${what}: the content of ${edit.path}`, edit.content)
  }
}
