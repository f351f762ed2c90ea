import type { AgentErrorReason } from '../../text/errors.ts'
import { reasonOfCodes } from './refusal-codes.ts'
import { isOverflowCode, reasonOfMessage, reasonOfPlainWords } from './refusal-messages.ts'
import { type ServerWords, wordsOfBody } from './server-words.ts'

/**
 * Reasons by status, for all vendors. 402 means no credit; 410 a model that is gone; 498 Groq's status for a service without capacity;
 * 529 Anthropic's for overloaded. 408 to 425 and 499 are faults of the server that another attempt may not meet.
 */
const byStatus: Readonly<Record<number, AgentErrorReason>> = {
  401: 'key',
  402: 'quota',
  403: 'key',
  404: 'not-found',
  405: 'not-found',
  407: 'key',
  408: 'server',
  409: 'server',
  410: 'not-found',
  413: 'context-overflow',
  421: 'not-found',
  424: 'server',
  425: 'server',
  429: 'quota',
  498: 'quota',
  499: 'server',
  529: 'quota',
}

/** Statuses that say why by themselves, whatever the message says. */
const plainStatuses = [401, 402, 404, 405, 407, 410]

type Said = Pick<ServerWords, 'message' | 'codes'>

/**
 * Returns why a server refused a request, from its status of 300 or more and its body, for any vendor. Of the body only the error's own
 * message and codes count, since it may repeat the prompt.
 */
export function reasonOfRefusal(status: number, body: string): AgentErrorReason {
  return reasonOfWords(status, wordsOfBody(body))
}

/** Like {@link reasonOfRefusal}, from words that are already read. */
export function reasonOfWords(status: number, said: Said): AgentErrorReason {
  // A redirect that is not followed: the model is at another address.
  if (status < 400) return 'not-found'
  if (status === 429) return 'quota'
  const plain = reasonInPlainWords(said)
  if (plain) return plain
  const byItself = status >= 500 || plainStatuses.includes(status)
  const worded = byItself ? undefined : reasonOfMessage(said.message)
  return worded ?? byStatus[status] ?? (status >= 500 ? 'server' : 'request')
}

/** Returns the reason that codes or unmistakable words name, whatever the status is; undefined if they name none. */
export function reasonInPlainWords({ message, codes }: Said): AgentErrorReason | undefined {
  const all = [...codes, ...exceptionOf(message)]
  const coded = reasonOfCodes(all) ?? (all.some(isOverflowCode) ? 'context-overflow' : undefined)
  return coded ?? reasonOfPlainWords(message)
}

/** Returns the class of an error in Python at the start of a message, which LiteLLM gives in place of a code. */
const exceptionOf = (message: string): string[] =>
  /^(?:[a-z]\w*\.)*([A-Z]\w{0,60}(?:Error|Exception)):/.exec(message)?.slice(1) ?? []
