import { describeType, isPromise, notTextMessage } from '../../schema/method/ask-options.ts'
import type { FileEdit } from '../../strategy.ts'

// A strategy may be a user's, written without types. What it hands over goes into the journal, and what stands there wrong
// could neither be replayed nor gone on with, so it is refused at the door, as the method's fault.

/** Throws where it is no text; `what` names it. */
export function checkText(what: string, value: unknown): void {
  if (typeof value !== 'string') throw new Error(`[strategy] ${what} ${notTextMessage(value)}`)
}

/** As it comes back from JSON. Throws where JSON holds no such thing, or it is no object with fields. */
export function plainObject<Value extends object>(what: string, value: Value): Value {
  if (isPromise(value)) throw new Error(`[strategy] ${what} is a promise. Await it first.`)
  const text = JSON.stringify(value) as string | undefined
  const plain: unknown = text === undefined ? undefined : JSON.parse(text, withoutPrototype)
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain))
    throw new Error(
      `[strategy] ${what} is no object with fields (${describeType(plain)}). Give one, such as { done: 3 }.`,
    )
  return plain as Value
}

// A field of this name would be one object's prototype when it is copied, and a field of the next.
const withoutPrototype = (key: string, value: unknown) => (key === '__proto__' ? undefined : value)

/** Throws where edits are not a list of paths with texts, or with null for a file that goes. */
export function checkEdits(what: string, edits: readonly FileEdit[]): void {
  if (!Array.isArray(edits))
    throw new Error(`[strategy] ${what} wants a list of { path, content } (${describeType(edits)}).`)
  for (const edit of edits) {
    checkText(`${what}: a path`, edit?.path)
    if (edit.content !== null) checkText(`${what}: the content of ${edit.path}`, edit.content)
  }
}
