import { dataCleaner } from '../../replies/clean-data.ts'
import { graphEventTypes } from '../../schema/ledger/graph-event.ts'
import { describeType, isPromise, notTextMessage } from '../../schema/method/ask-options.ts'
import type { FileEdit, StrategyResult, TraceEvent } from '../../strategy.ts'
import type { Redactor } from '../../text/redact.ts'

const reasons = ['done', 'stuck', 'halted', 'exhausted', 'cancelled'] satisfies StrategyResult['stopReason'][]

/** Returns a strategy's result, well-formed, redacted and with its state as plain JSON. Throws when it is not a valid result. */
export function validateResult(result: StrategyResult, name: string, redact?: Redactor): StrategyResult {
  const fault = problemOf(result, name)
  if (fault) throw new Error(`it returned ${fault}`)
  const plain =
    result.state === undefined ? result : { ...result, state: toPlainObject('its state', result.state) }
  const { stopReason, ...texts } = plain
  return { ...dataCleaner(redact)(texts), stopReason }
}

function problemOf(result: StrategyResult | undefined, name: string): string | undefined {
  if (typeof result !== 'object' || result === null)
    return `${result ? describeType(result) : 'nothing'}; return an object such as { stopReason: 'done', answer }`
  const { answer, stopReason, detail, state } = result
  for (const [field, value] of Object.entries(result))
    if (isPromise(value))
      return `${field === 'answer' ? 'an answer' : `a ${field}`} that is a promise. In ${name}, await it: return { ${field}: await ask(…), … }`
  if (!reasons.includes(stopReason))
    return `the stopReason ${String(stopReason)}; expected one of ${reasons.join(', ')}`
  if (answer !== undefined && typeof answer !== 'string')
    return `an answer that is not a string but ${describeType(answer)}`
  if (detail !== undefined && typeof detail !== 'string')
    return `a detail that is not a string but ${describeType(detail)}`
  if (state !== undefined && (typeof state !== 'object' || state === null || Array.isArray(state)))
    return `a state that is not a plain object but ${describeType(state)}`
  return undefined
}

const ownFields = ['trial', 'key']
/** Types of events that have a function of their own. */
const ownTypes: Readonly<Record<string, string>> = {
  iteration: 'label({ … })',
  candidate: 'candidate(answer)',
}

/** Returns an event as plain JSON. Throws when it is not an event that a strategy may write with `note`. */
export function validateEvent(event: TraceEvent): TraceEvent {
  const plain = toPlainObject('note(): the event', event)
  const { type } = plain
  if (typeof type !== 'string') throw new Error('note() expects an event with a string `type`')
  const own = Object.hasOwn(ownTypes, type) ? ownTypes[type] : graphEventTypes.has(type) && 'graph(…)'
  if (own) throw new Error(`note() does not write events of type "${type}". Call ${own} instead.`)
  refuseFields('note()', plain, ownFields)
  return plain
}

/** Returns a label as plain JSON. Throws when it holds anything but strings and numbers. */
export function validateLabel(label: Readonly<Record<string, number | string>>): typeof label {
  const plain = toPlainObject('label(): the label', label)
  refuseFields('label()', plain, ['type', ...ownFields])
  for (const [name, value] of Object.entries(plain))
    if (typeof value !== 'number' && typeof value !== 'string')
      throw new Error(`label(): "${name}" must be a number or a string, got ${describeType(value)}`)
  return plain
}

/** Returns a candidate's answer. Throws when it is not a string. */
export function validateAnswer(answer: string | undefined): string | undefined {
  if (answer !== undefined) checkText('candidate(): the answer', answer)
  return answer
}

function refuseFields(what: string, given: object, names: readonly string[]): void {
  for (const name of names)
    if (Object.hasOwn(given, name)) throw new Error(`${what}: the field "${name}" is reserved; rename it.`)
}

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
export function checkEdits(edits: readonly FileEdit[]): void {
  if (!Array.isArray(edits))
    throw new Error(
      `[strategy] workspace.apply() expects an array of { path, content }, got ${describeType(edits)}.`,
    )
  for (const edit of edits) {
    checkText("workspace.apply(): an edit's path", edit?.path)
    if (edit.content !== null) checkText(`workspace.apply(): the content of ${edit.path}`, edit.content)
  }
}
