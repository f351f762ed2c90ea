import { isObject } from '../../text/is-object.ts'
import { errorIn } from './error-in.ts'
import { type Json, textAt } from './json.ts'
import { createChatMender } from './mend-chat.ts'
import { mendGemini } from './mend-gemini.ts'
import { createMessageMender } from './mend-message.ts'
import { createResponseMender } from './mend-response.ts'

/**
 * Returns a function for the parts of one reply, in order. Of each it returns what is passed on to a vendor's library: the fields that
 * bench reads, in the types that the library wants. Of a part, block, item or delta whose type is not known it returns nothing: vendors
 * add types at any time, and a library may refuse the whole reply. Counts are left out, as bench reads them off the wire itself.
 */
export function createMender(): (part: unknown) => Json[] {
  const menders = [createMessageMender(), createResponseMender(), createChatMender(), mendGemini]
  const mend = (part: unknown): Json[] => {
    if (Array.isArray(part)) return part.flatMap(mend)
    if (!isObject(part)) return []
    const isError = errorIn(part, textAt(part, 'type') || textAt(part, 'object')) !== undefined
    return isError ? [part] : menders.flatMap((one) => one(part))
  }
  return mend
}
