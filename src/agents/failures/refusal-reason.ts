import type { AgentErrorReason } from '../../text/errors.ts'
import { type ServerWords, wordsOfBody } from './server-words.ts'

/** Patterns of one reason, joined for reading: any of them may fit. */
const oneOf = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), 'i')

/** A rate limit, which does not depend on the length of one prompt. */
const rate = oneOf(
  /\b(?:tokens|requests) per (?:min(?:ute)?|hour|day|second)\b/,
  /\brate limit (?:reached|exceeded)\b/,
)

/** A prompt that is too long, which has no status of its own. */
const overflow = oneOf(
  /context[ _]?(?:length|window|size)|maximum context|(?:maximum|max) (?:prompt|input) length|prompt_tokens_exceeded/,
  /exceeds the (?:maximum number of tokens|available context|context)|exceed(?:s|ed)? (?:the )?(?:model(?:'s)? )?token limit/,
  /(?:prompt|input)(?: text| length)? (?:exceeds|is longer than) (?:the )?(?:model's )?(?:max(?:imum)?|limit)\b|(?:prompt|input) tokens? count\b.{0,30} exceeds/,
  /prompt is too long|\b(?:input|conversation) (?:text )?is too long|too many (?:input |prompt )?tokens|reduce the length of (?:the |your )?(?:messages|prompt|input)/,
  /range of input length should be|input length and .?max_tokens|inputs.? tokens \+ .?max_(?:new_)?tokens|inputs.? must have less than \d+ tokens/,
  /(?:prompt|输入|上下文)[^。]{0,12}(?:超长|过长|太长|超出|超过)/,
)

/** A limit of the output that is set too high. The prompt may fit, although the message may name the context length. */
const outputLimit =
  /(?<!(?:\+|and) ?['"`]?)\bmax_(?:completion_|output_|new_)?tokens['"`]?(?: or ['"`]?max_\w+['"`]?)? (?:is too (?:large|high)|must be (?:at most|less than|no more than|<=)|(?:cannot|can't) (?:be greater|exceed))/i

/** An empty account, told by the first words. Servers tell it with any status. */
const emptyAccount =
  /^(?:error: ?)?(?:(?:insufficient (?:account )?(?:balance|credits?|funds|quota)|your credit balance is too low)\b|(?:用户|账户|帐户)?(?:余额|额度)不足)/i

/** What LM Studio says with any status. */
const nothingLoaded = /^(?:error: )?no models? (?:is |are )?(?:currently )?loaded\b/i

/** What a request may want of a model that the model lacks: then not the model is missing. */
const notOfFeatures =
  /(?![^\n]{0,80}\b(?:tools?|functions?|schema|json|response_format|stream|images?|audio|video|parameters?|temperature|reasoning|system))/

/** Returns the reason that a server's own words name with any status, even 500; undefined if they name none. */
function reasonOfPlainWords(message: string): AgentErrorReason | undefined {
  if (nothingLoaded.test(message)) return 'not-found'
  return emptyAccount.test(ownWords(message)) ? 'quota' : undefined
}

/** Returns the reason that the message of a refused request names; undefined if it names none. */
export function reasonOfMessage(message: string): AgentErrorReason | undefined {
  const own = ownWords(message)
  if (rate.test(own)) return 'quota'
  if (overflow.test(own) && !outputLimit.test(message.slice(0, 200))) return 'context-overflow'
  return reasonAt('message', own)
}

const isOverflowCode = (code: string): boolean => overflow.test(code)

const longestRead = 600

/** A part in quotes; no apostrophe. In backticks are names, which repeat no prompt. */
const quoted = /"[^"]*"|(?<!\w)'[^']*'(?!\w)|“[^”]*”/g

/** What stands before a part of the request or reply that is repeated without quotes. */
const echo =
  /\b(?:failed|unable|cannot|could not|couldn't|error|invalid)\b[^:]{0,60}\b(?:pars|decod|deserializ)\w*[^:]{0,60}:|\bpars(?:e|er|ing) (?:error|failure)[^:]{0,60}:|:\s*<[a-z|/]|\binput_value=|\b(?:received|got):/i

function ownWords(message: string): string {
  const words = message.slice(0, longestRead).replace(/(?<=\w)’(?=\w)/g, "'")
  const unquoted = words.replace(quoted, '""')
  const repeated = echo.exec(unquoted)
  return repeated ? unquoted.slice(0, repeated.index + repeated[0].length) : unquoted
}

/**
 * Reasons by status, for all vendors. 402 means no credit; 410 a model that is gone; 498 Groq's status for a service
 * without capacity. 529 (Anthropic: overloaded), 408 to 425 and 499 are faults of the server that another attempt may not meet, and no quota of the user.
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
  529: 'server',
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
  const coded = reasonAt('code', ...all) ?? (all.some(isOverflowCode) ? 'context-overflow' : undefined)
  return coded ?? reasonOfPlainWords(message)
}

/** Returns the class of an error in Python at the start of a message, which LiteLLM gives in place of a code. */
const exceptionOf = (message: string): string[] =>
  /^(?:[a-z]\w*\.)*([A-Z]\w{0,60}(?:Error|Exception)):/.exec(message)?.slice(1) ?? []

/**
 * What words mean, by the place where they stand: a code of a server, its message, an error inside a stream, which has no status, and
 * what a program says, which in plain words counts with any status. The first that fits counts: an account without credit may also be
 * called suspended, and advice about the context window may stand beside an empty reply.
 */
const meanings = {
  code: {
    quota: oneOf(
      /^(?:insufficient_(?:(?:user_|account_)?(?:quota|balance|credits?|funds))|billing_(?:disabled|error|not_active|hard_limit_reached)|allocationquota\..*|arrearage|(?:exceeded_)?current_quota(?:_error)?|exceeded_current_quota_error|quota_?exceeded|pre_consume_token_quota_failed|budget_?exceeded(?:_?error)?|credits_?error|credit_balance_.*|account_?overdue(?:_?error)?|usage_limit_(?:reached|exceeded))$/,
      /^(?:rate_?limit(?:ed|_?exceeded|_?reached)?(?:_?error)?|too_?many_?requests(?:_?error)?|throttling(?:_?exception|\..*)?|service_?quota_?exceeded_?exception|capacity_exceeded|tpm_?limit_?exceeded|rpm_?limit_?exceeded)$/,
    ),
    key: /^(?:api_?key_?invalid|invalid_(?:api_)?key|invalid_token|api_?key_(?:expired|disabled|revoked|service_blocked)|expired_(?:api_)?key|(?:key|token)_(?:expired|revoked)|authentication_?error|unauthenticated|account_(?:deactivated|disabled|suspended)|organi[sz]ation_(?:restricted|disabled|suspended|deactivated)|user_(?:suspended|disabled)|consumer_suspended|access_terminated_error|unsupported_country_region_territory)$/i,
    'not-found':
      /^(?:model_?not_?found(?:_?error)?|notfounderror|model_(?:decommissioned|deprecated|retired|not_exist|not_available|not_supported|unsupported)|deployment_?not_?found|unknown_model|invalid_model|unsupported_model|operationnotsupported)$/i,
    refusal:
      /^(?:content_filter(?:ed)?|content_policy(?:_?violation)?(?:_?error)?|contentpolicyviolationerror|content_violation|responsibleaipolicyviolation|moderation_blocked|prohibited_content|data_?inspection_?failed|\w*sensitive_?(?:content|words?|text)_?detected(?:\.\w+)?|\w+riskdetection)$/i,
  },
  message: {
    quota: oneOf(
      /credit balance is too low|(?:insufficient|not enough) (?:account )?(?:credits?|balance|funds|quota)|balance is (?:insufficient|too low|not enough|negative|exhausted)|overdue balance|余额不足|额度不足|欠费/,
      /used all available credits|\bout of credits|\b(?:have|has|with) no credits|\bno (?:more )?credits (?:left|remaining|available)/,
      /exceeded your current quota|free tier of the model has been exhausted|key limit exceeded|spending limit/,
      /(?:reached|exceeded|hit) (?:your|the|its|their) (?:[\w-]+ ){0,4}(?:usage|spend|budget|billing|credit|plan) (?:limits?|cap)\b/,
      /(?<!thinking |token )budget (?:has been |was |is )?exceeded|exceeded (?:your|its|their|the|team) (?:max )?budget/,
    ),
    key: oneOf(
      /\bapi key (?:not valid|not found)|\b(?:invalid|incorrect|expired|revoked) (?:api[ _-]?)?key\b|\bapi[ _-]?key (?:has |is |was )?(?:been )?(?:expired|revoked|disabled|deleted|blocked)/,
      /user location is not supported|(?:country|region)[^.]{0,40} not supported/,
      /\b(?:organi[sz]ation|account|workspace|project|team)(?: \S{1,60})? (?:has been|was|is) (?:temporarily |permanently )?(?:disabled|restricted|suspended|deactivated|blocked|banned)/,
      /\borgani[sz]ation must be verified|verify (?:your )?organi[sz]ation|^authentication (?:error|failed|failure)\b/,
    ),
    'not-found': oneOf(
      /is not a valid model\b|\bmodels?\b(?:[^.]|\.(?=\S)){0,120}?(?:does not exist|not exist|not found|has been (?:decommissioned|deprecated|removed|retired)|is not available)/,
      /\bmodel (?:identifier|id|name) is invalid|\b(?:unknown|invalid|unsupported|no such) model\b|unable to access model|deployment for this resource does not exist|模型(?:不存在|未找到)|未知模型/,
      new RegExp(
        `\\bmodels?(?: name| id)?(?: (?:""|\`[^\`]*\`|[\\w./:@-]+))? (?:is not|isn't) supported\\b${notOfFeatures.source}`,
      ),
      /with on-demand throughput (?:is not|isn't) supported|\b(?:choose|select|use|try) a? ?different model/,
      /\bis not a (?:chat|completions?|text|language) model\b|\bmodel\b(?:[^.]|\.(?=\S)){0,100}?(?:cannot|can't) be used with the [\w/ -]{1,40} (?:api|endpoint)/,
      /llm provider not provided|^(?:error: )?failed to load (?:the )?model\b/,
      /\bplain http\b[^.]{0,40}\b(?:https|ssl|tls)\b|\bhttp request to an https\b|^(?:[\w ]{0,20}[:-] ?)?invalid host(?:name| header)\b/,
    ),
    server: oneOf(
      /\bmodel (?:has |process |runner )?(?:has )?(?:crashed|died|exited|terminated)\b|request failed during generation|\bcuda (?:error|out of memory)/,
    ),
    refusal: oneOf(
      /requires moderation|\bflagged\b|content management policy|content policy|safety system|prohibited content|blocked by [^.]{0,60}(?:safety|filter|policy)|inappropriate content/,
      /\bviolat\w+ (?:of )?(?:(?:our|the|your|its|this|usage|content|safety|acceptable|use) ){0,3}(?:guidelines|polic(?:y|ies))|failed check: safety|content exists risk|content filtering policy/,
      /\bnew_sensitive\b|\bsensitive (?:words?|content|information)\b|\b(?:unsafe|harmful) (?:or sensitive )?content|considered high risk|敏感内容|敏感词|违规内容/,
    ),
  },
  event: {
    quota: /rate_limit|resource_exhausted|insufficient_quota|billing/i,
    key: /authentication|permission|invalid_api_key|unauthenticated/i,
    refusal: /content_filter|content_policy|prohibited_content/i,
    'not-found': /not_found/i,
    request: /invalid_request|invalid_argument|invalid_prompt/i,
    server: /overloaded/i,
    timeout: /timeout|deadline/i,
    network: /stream_ended/,
  },
  plainProgram: {
    empty: /empty (response|reply)|no final response text/i,
    'context-overflow': /context (length|window)|too many tokens|prompt is too long|maximum context/i,
  },
  program: {
    'not-found': /model not found|no such model|unknown model/i,
    key: /api[ _-]?key|unauthori[sz]ed|not logged in|missing environment variable|auth/i,
    quota: /rate.?limit|quota|too many requests|insufficient.?(quota|credit)/i,
    refusal: /content.?(policy|filter)|(?<!conn|connection )refus|safety|blocked|can't help with this/i,
    network:
      /disconnect|connection|network|ECONN|ENOTFOUND|EAI_AGAIN|socket|fetch failed|reset|\bterminated|timed? ?out/i,
    server: oneOf(
      /internal server error|server error|overloaded|bad gateway|service unavailable|gateway time|high demand/,
      /JSON parse|in JSON at|not valid JSON|malformed|unterminated|unexpected (token|end of)/,
    ),
    request: /invalid_request|bad request/i,
  },
} satisfies Readonly<Record<string, Partial<Record<AgentErrorReason, RegExp>>>>

/** Returns the reason that texts at a place name; undefined if they name none. */
export const reasonAt = (
  place: keyof typeof meanings,
  ...texts: readonly string[]
): AgentErrorReason | undefined =>
  (Object.entries(meanings[place]) as [AgentErrorReason, RegExp][]).find(([, pattern]) =>
    texts.some((text) => pattern.test(text)),
  )?.[0]
