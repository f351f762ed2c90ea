import type { AgentErrorReason } from '../../text/errors.ts'
import { type ServerWords, wordsOfBody } from './server-words.ts'

/** Reasons by status, for all vendors. 402 means no credit; 410 a model that is gone; 529 is Anthropic's status for overloaded. */
const byStatus: Readonly<Record<number, AgentErrorReason>> = {
  401: 'key',
  402: 'quota',
  403: 'key',
  404: 'not-found',
  408: 'timeout',
  410: 'not-found',
  413: 'context-overflow',
  429: 'quota',
  529: 'quota',
}

/** Messages for a prompt that is too long, which has no status of its own: Anthropic, OpenAI, Gemini, vLLM, llama.cpp, Ollama. */
const overflow =
  /prompt is too long|context[ _](?:length|window|size)|maximum context|exceeds the (?:maximum number of tokens|available context|context)|input length and .?max_tokens|too many tokens/i

/** What LM Studio says with any status. */
const nothingLoaded = /^(?:error: )?no models? (?:is |are )?(?:currently )?loaded\b/i

/** Reasons by codes: the vendors' own words for kinds of errors. */
const byCode: readonly (readonly [RegExp, AgentErrorReason])[] = [
  [
    /^(?:api_?key_?invalid|invalid_api_key|api_key_expired|api_key_service_blocked|authentication_error|unauthenticated|account_deactivated|expired_key|consumer_suspended|unsupported_country_region_territory)$/i,
    'key',
  ],
  [
    /^(?:insufficient_quota|insufficient_balance|billing_(?:disabled|error|not_active|hard_limit_reached)|allocationquota\..*|arrearage|exceeded_current_quota_error)$/i,
    'quota',
  ],
  [
    /^(?:model_?not_?found(?:_error)?|model_decommissioned|model_not_exist|deploymentnotfound|unknown_model|invalid_model|model_not_available|model_not_supported)$/i,
    'not-found',
  ],
  [
    /^(?:content_filter|content_policy_violation|responsibleaipolicyviolation|moderation_blocked|prohibited_content|data_inspection_failed|datainspectionfailed|content_filtered)$/i,
    'refusal',
  ],
]

/** Reasons by messages, for what has no code of its own. Parts in quotes are left out before: they may repeat the prompt. */
const byMessage: readonly (readonly [RegExp, AgentErrorReason])[] = [
  [
    /\bapi key (?:not valid|expired|not found)|\b(?:invalid|incorrect|expired) api[ _-]?key|user location is not supported|organi[sz]ation has been disabled|(?:country|region)[^.]{0,40} not supported/i,
    'key',
  ],
  [
    /credit balance is too low|insufficient (?:credits?|balance|funds|quota)|(?:used all available|out of|no) credits|exceeded your current quota|free tier of the model has been exhausted|key limit exceeded|spending limit/i,
    'quota',
  ],
  [
    /is not a valid model\b|\bmodels?\b(?:[^.]|\.(?=\S)){0,120}?(?:does not exist|not exist|not found|has been (?:decommissioned|deprecated|removed|retired)|is not available)|\bmodel (?:identifier|id|name) is invalid|\b(?:unknown|invalid|unsupported|no such) model\b|unable to access model|deployment for this resource does not exist/i,
    'not-found',
  ],
  [
    /requires moderation|\bflagged\b|content management policy|content policy|safety system|prohibited content|blocked by [^.]{0,60}(?:safety|filter|policy)|inappropriate content/i,
    'refusal',
  ],
]

/**
 * Returns why a server refused a request, from its status of 400 or more and its body, for any vendor. Of the body only the error's own
 * message and codes count, since it may repeat the prompt.
 */
export function reasonOfRefusal(status: number, body: string): AgentErrorReason {
  return reasonOfWords(status, wordsOfBody(body))
}

/** Like {@link reasonOfRefusal}, from words that are already read. */
export function reasonOfWords(status: number, { message, codes }: ServerWords): AgentErrorReason {
  if (nothingLoaded.test(message)) return 'not-found'
  if (status >= 500) return byStatus[status] ?? 'server'
  if (status === 429) return 'quota'
  if (isOverflow(message, codes)) return 'context-overflow'
  // These say why by themselves, or nothing in the words would change what to do.
  if ([401, 402, 404, 408, 410, 413].includes(status)) return byStatus[status] as AgentErrorReason
  return reasonInWords({ message, codes }) ?? byStatus[status] ?? 'request'
}

/** Whether a server says that the prompt is too long. */
export const isOverflow = (message: string, codes: readonly string[]): boolean =>
  overflow.test(ownWords(message)) || codes.some((code) => overflow.test(code))

/** Returns the reason that codes, else the message, name; undefined if they name none. */
export function reasonInWords({
  message,
  codes,
}: Pick<ServerWords, 'message' | 'codes'>): AgentErrorReason | undefined {
  const coded = byCode.find(([pattern]) => codes.some((code) => pattern.test(code)))
  if (coded) return coded[1]
  const own = ownWords(message)
  return byMessage.find(([pattern]) => pattern.test(own))?.[1]
}

/** Characters of a message in which words count. */
const longestRead = 600

/** A part in quotes; no apostrophe. In backticks are names, which repeat no prompt. */
const quoted = /"[^"]*"|(?<!\w)'[^']*'(?!\w)|“[^”]*”/g

const ownWords = (message: string) => message.slice(0, longestRead).replace(quoted, '""')
