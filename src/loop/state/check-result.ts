import { isPromise } from '../../schema/method/ask-options.ts'
import type { StrategyResult, TraceEvent } from '../../strategy.ts'
import type { Redactor } from '../../text/redact.ts'
import { checkText, plainObject } from './check-arguments.ts'

const reasons = ['done', 'stuck', 'halted', 'exhausted'] satisfies StrategyResult['stopReason'][]

/** What a strategy returned, if it is what it should be: it may be a user's, and what it says goes into files. */
export function checkedResult(result: StrategyResult, name: string, redact?: Redactor): StrategyResult {
  const fault = faultOf(result, name)
  if (fault) throw new Error(`it returned ${fault}`)
  const plain =
    result.state === undefined ? result : { ...result, state: plainObject('its state', result.state) }
  if (!redact) return plain
  const { stopReason, ...texts } = plain
  return { ...redact.data(texts), stopReason }
}

function faultOf(result: StrategyResult | undefined, name: string): string | undefined {
  if (typeof result !== 'object' || result === null)
    return `${result ? `no object (${typeof result})` : 'nothing'}; return { stopReason: 'done' }, and an answer where there is one`
  const { answer, stopReason, detail, state } = result
  for (const [field, value] of Object.entries(result))
    if (isPromise(value))
      return `${field === 'answer' ? 'an answer' : `a ${field}`} that is a promise. In ${name}, await it: return { ${field}: await ask(…), … }`
  if (!reasons.includes(stopReason))
    return `stopReason ${String(stopReason)}; write one of ${reasons.join(', ')}`
  if (answer !== undefined && typeof answer !== 'string')
    return `an answer that is no text (${typeof answer})`
  if (detail !== undefined && typeof detail !== 'string') return `a detail that is no text (${typeof detail})`
  if (state !== undefined && (typeof state !== 'object' || state === null || Array.isArray(state)))
    return 'a state that is no object'
  return undefined
}

const ownFields = ['trial', 'key']
/** Types of events that have a function of their own. */
const ownTypes: Readonly<Record<string, string>> = {
  iteration: 'label({ … })',
  candidate: 'candidate(answer)',
}

/** Returns an event as plain JSON. Throws when it is not an event that a strategy may write with `note`. */
export function checkedEvent(event: TraceEvent): TraceEvent {
  const plain = plainObject('note(): the event', event)
  const { type } = plain
  if (typeof type !== 'string') throw new Error('note() wants an event with a type')
  if (Object.hasOwn(ownTypes, type))
    throw new Error(`note() does not write events of type "${type}". Call ${ownTypes[type]} instead.`)
  refuseFields("note(): the event's", plain, ownFields)
  return plain
}

/** Returns a label as plain JSON. Throws when it holds anything but texts and numbers. */
export function checkedLabel(label: Readonly<Record<string, number | string>>): typeof label {
  const plain = plainObject('label(): the label', label)
  refuseFields("label(): the label's", plain, ['type', ...ownFields])
  for (const [name, value] of Object.entries(plain))
    if (typeof value !== 'number' && typeof value !== 'string')
      throw new Error(`label(): "${name}" is neither a number nor a text`)
  return plain
}

/** Returns a candidate's answer. Throws when it is not a text. */
export function checkedAnswer(answer: string | undefined): string | undefined {
  if (answer !== undefined) checkText('candidate(): the answer', answer)
  return answer
}

function refuseFields(whose: string, given: object, names: readonly string[]): void {
  for (const name of names)
    if (Object.hasOwn(given, name))
      throw new Error(`${whose} "${name}" is the harness's own. Give it another name.`)
}
