import type { AskOptions, FileEdit } from '../strategy.ts'

// A strategy may be a user's, written without types. What it hands over goes into the journal, and what stands there wrong
// could neither be replayed nor gone on with, so it is refused at the door, as the method's fault.

/** What `ask` gives before it is awaited. */
export const isPromise = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && typeof (value as Promise<unknown>).then === 'function'

/** Throws where it is no text; `what` names it. */
export function checkText(what: string, value: unknown): void {
  if (typeof value !== 'string')
    throw new Error(
      isPromise(value)
        ? `[strategy] ${what} is a promise. Await it first: write await before the call that gives it.`
        : `[strategy] ${what} is no text (${kindOf(value)}). Give a string.`,
    )
}

/** As it comes back from JSON. Throws where JSON holds no such thing, or it is no object with fields. */
export function plainObject<Value extends object>(what: string, value: Value): Value {
  if (isPromise(value)) throw new Error(`[strategy] ${what} is a promise. Await it first.`)
  const text = JSON.stringify(value) as string | undefined
  const plain: unknown = text === undefined ? undefined : JSON.parse(text, withoutPrototype)
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain))
    throw new Error(
      `[strategy] ${what} is no object with fields (${kindOf(plain)}). Give one, such as { done: 3 }.`,
    )
  return plain as Value
}

// A field of this name would be one object's prototype when it is copied, and a field of the next.
const withoutPrototype = (key: string, value: unknown) => (key === '__proto__' ? undefined : value)

/** Throws where an ask's options hold what they may not: texts that are none, limits that limit nothing. */
export function checkOptions(role: string, options: AskOptions): void {
  const { system, context, session, timeoutMs, maxOutput, limits } = options
  // Most asks have few of them, and each is asked for in every trial.
  if (system !== undefined) checkText(`ask("${role}"): system`, system)
  if (session !== undefined) checkText(`ask("${role}"): session`, session)
  if (context !== undefined) checkContext(role, context)
  if (timeoutMs !== undefined) checkAmount(role, 'timeoutMs', timeoutMs)
  if (maxOutput !== undefined) checkAmount(role, 'maxOutput', maxOutput)
  if (limits)
    for (const [name, value] of Object.entries(limits))
      if (value !== undefined) checkAmount(role, name, value)
}

function checkContext(role: string, context: NonNullable<AskOptions['context']>): void {
  if (typeof context !== 'object' || context === null || Array.isArray(context))
    throw new Error(`[strategy] ask("${role}"): context is no object of texts by name (${kindOf(context)}).`)
  for (const name of Object.keys(context)) {
    const value = context[name]
    if (value !== undefined && typeof value !== 'string') checkText(`ask("${role}"): context.${name}`, value)
  }
}

function checkAmount(role: string, name: string, value: unknown): void {
  if (!(typeof value === 'number' && value >= 0))
    throw new Error(`[strategy] ask("${role}"): ${name} is no number of at least 0 (${String(value)}).`)
}

/** Throws where edits are not a list of paths with texts, or with null for a file that goes. */
export function checkEdits(what: string, edits: readonly FileEdit[]): void {
  if (!Array.isArray(edits))
    throw new Error(`[strategy] ${what} wants a list of { path, content } (${kindOf(edits)}).`)
  for (const edit of edits) {
    checkText(`${what}: a path`, edit?.path)
    if (edit.content !== null) checkText(`${what}: the content of ${edit.path}`, edit.content)
  }
}

const kindOf = (value: unknown) =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : typeof value === 'object'
        ? 'an object'
        : typeof value
