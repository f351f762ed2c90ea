import { describeType, isPromise } from '../../schema/method/ask-options.ts'
import type { StrategyResult, TraceEvent } from '../../strategy.ts'
import type { Redactor } from '../../text/redact.ts'
import { toPlainObject } from './check-arguments.ts'

const reasons = ['done', 'stuck', 'halted', 'exhausted'] satisfies StrategyResult['stopReason'][]

/** Returns a strategy's result, redacted and with its state as plain JSON. Throws when it is not a valid result. */
export function validateResult(result: StrategyResult, name: string, redact?: Redactor): StrategyResult {
  const fault = problemOf(result, name)
  if (fault) throw new Error(`it returned ${fault}`)
  const plain =
    result.state === undefined ? result : { ...result, state: toPlainObject('its state', result.state) }
  if (!redact) return plain
  const { stopReason, ...texts } = plain
  return { ...redact.data(texts), stopReason }
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

/**
 * Returns an event as plain JSON. Throws when it has no type, is not a JSON object, labels an iteration with values other
 * than strings and numbers, or gives a candidate an answer that is not a string.
 */
export function checkedEvent(event: TraceEvent): TraceEvent {
  const plain = toPlainObject('note(): the event', event)
  const { type, ...fields } = plain
  if (typeof type !== 'string') throw new Error('note() expects an event with a string `type`')
  for (const own of ['trial', 'key'])
    if (Object.hasOwn(fields, own)) throw new Error(`note(): the field "${own}" is reserved; rename it.`)
  const wrong = Object.entries(fields).find(
    ([, value]) => typeof value !== 'number' && typeof value !== 'string',
  )
  if (type === 'iteration' && wrong)
    throw new Error(`note(): the iteration's "${wrong[0]}" must be a number or a string`)
  if (type === 'candidate' && fields.answer !== undefined && typeof fields.answer !== 'string')
    throw new Error("note(): the candidate's answer must be a string")
  return plain
}
