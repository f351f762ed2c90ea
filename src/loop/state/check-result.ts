import { isPromise } from '../../schema/method/ask-options.ts'
import type { StrategyResult, TraceEvent } from '../../strategy.ts'
import type { Redactor } from '../../text/redact.ts'
import { toPlainObject } from './check-arguments.ts'

const reasons = ['done', 'stuck', 'halted', 'exhausted'] satisfies StrategyResult['stopReason'][]

/** What a strategy returned, if it is what it should be: it may be a user's, and what it says goes into files. */
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

/**
 * An event as plain JSON. Throws when it has no type, holds what JSON cannot, labels an iteration by anything but texts and
 * numbers, or gives a candidate's answer that is no text.
 */
export function checkedEvent(event: TraceEvent): TraceEvent {
  const plain = toPlainObject('note(): the event', event)
  const { type, ...fields } = plain
  if (typeof type !== 'string') throw new Error('note() wants an event with a type')
  for (const own of ['trial', 'key'])
    if (Object.hasOwn(fields, own))
      throw new Error(`note(): the event's "${own}" is the harness's own. Give it another name.`)
  const wrong = Object.entries(fields).find(
    ([, value]) => typeof value !== 'number' && typeof value !== 'string',
  )
  if (type === 'iteration' && wrong)
    throw new Error(`note(): the iteration's "${wrong[0]}" is neither a number nor a text`)
  if (type === 'candidate' && fields.answer !== undefined && typeof fields.answer !== 'string')
    throw new Error("note(): the candidate's answer is no text")
  return plain
}
