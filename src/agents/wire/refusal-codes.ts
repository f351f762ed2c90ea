import type { AgentErrorReason } from '../../text/errors.ts'

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
export const reasonOfCodes = (codes: readonly string[]): AgentErrorReason | undefined =>
  byCode.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1]
