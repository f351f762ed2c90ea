import type { AgentErrorReason } from '../../text/errors.ts'
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

/** Reasons by codes: the vendors' own words for kinds of errors. The first that fits counts. */
const byCode: readonly (readonly [RegExp, AgentErrorReason])[] = [
  [
    /^(?:insufficient_(?:(?:user_|account_)?(?:quota|balance|credits?|funds))|billing_(?:disabled|error|not_active|hard_limit_reached)|allocationquota\..*|arrearage|(?:exceeded_)?current_quota(?:_error)?|exceeded_current_quota_error|quota_?exceeded|pre_consume_token_quota_failed|budget_?exceeded(?:_?error)?|credits_?error|credit_balance_.*|account_?overdue(?:_?error)?|usage_limit_(?:reached|exceeded))$/i,
    'quota',
  ],
  [
    /^(?:rate_?limit(?:ed|_?exceeded|_?reached)?(?:_?error)?|too_?many_?requests(?:_?error)?|throttling(?:_?exception|\..*)?|service_?quota_?exceeded_?exception|capacity_exceeded|tpm_?limit_?exceeded|rpm_?limit_?exceeded)$/i,
    'quota',
  ],
  [
    /^(?:api_?key_?invalid|invalid_(?:api_)?key|invalid_token|api_?key_(?:expired|disabled|revoked|service_blocked)|expired_(?:api_)?key|(?:key|token)_(?:expired|revoked)|authentication_?error|unauthenticated|account_(?:deactivated|disabled|suspended)|organi[sz]ation_(?:restricted|disabled|suspended|deactivated)|user_(?:suspended|disabled)|consumer_suspended|access_terminated_error|unsupported_country_region_territory)$/i,
    'key',
  ],
  [
    /^(?:model_?not_?found(?:_?error)?|notfounderror|model_(?:decommissioned|deprecated|retired|not_exist|not_available|not_supported|unsupported)|deployment_?not_?found|unknown_model|invalid_model|unsupported_model|operationnotsupported)$/i,
    'not-found',
  ],
  [
    /^(?:content_filter(?:ed)?|content_policy(?:_?violation)?(?:_?error)?|contentpolicyviolationerror|content_violation|responsibleaipolicyviolation|moderation_blocked|prohibited_content|data_?inspection_?failed|\w*sensitive_?(?:content|words?|text)_?detected(?:\.\w+)?|\w+riskdetection)$/i,
    'refusal',
  ],
]

/** Returns the reason that one of these codes names; undefined if they name none. */
const reasonOfCodes = (codes: readonly string[]): AgentErrorReason | undefined =>
  byCode.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1]
