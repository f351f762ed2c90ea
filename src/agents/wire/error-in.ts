import { isObject } from '../../text/is-object.ts'
import { type Json, textAt } from './json.ts'

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || value === false || value === 0

/** Whether the field of an error tells no error: null, an empty text, or an object without a word or code. */
export const isNoError = (error: unknown): boolean =>
  isNothing(error) || (isObject(error) && Object.values(error).every(isNothing))

/** Returns the error in a part of a reply, in a place of any vendor; undefined without an error. */
export function errorIn(value: Json, type: string): unknown {
  if (type === 'response.failed') return value.response ?? value
  if (!isNoError(value.error) || type === 'error' || value.object === 'error') return value
  const choices = Array.isArray(value.choices) ? value.choices : undefined
  // OpenRouter has the error of the server behind it in the choice.
  const choice: unknown = choices?.find((one) => isObject(one) && !isNoError(one.error))
  if (isObject(choice)) return choice.error
  const { base_resp: said } = value
  // MiniMax sends a status with every reply; 0 is success.
  if (isObject(said) && !isNothing(said.status_code)) return said
  return textAt(value, 'error_message') !== '' && !choices ? value : undefined
}
