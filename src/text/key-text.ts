/** A kind of secret, and how it is known in a text. */
export interface Mark {
  /** Name of the secret, with its article. */
  name: string
  pattern: RegExp
  /** Only in settings files: code and prose contain such texts as examples. */
  inSettings?: true
  /** A check that the pattern cannot express. */
  holds?(match: RegExpExecArray): boolean
}

const settingsFile =
  /(?:^|\/)(?:\.[^/]*|[^./]+)$|\.(?:json[c5]?|ya?ml|toml|ini|cfg|conf|config|properties|env|xml|plist|txt|http|rest|sh|bash|zsh|fish|ps1|bat|cmd)$/i

/** A pattern for a token that is not part of a longer word. The letter of an escape such as `\n` may precede it. */
export const token = (body: string) => new RegExp(String.raw`(?:(?<![\w+-])|(?<=\\[nrt]))${body}`, 'g')

const pem = '-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----'
const pemEnd = '-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY'

/** Secrets with a known prefix and length. The patterns are precise, because a file with a match is left out. */
export const marks: readonly Mark[] = [
  // A whole key, as lines or in a JSON text. Constants in code, with a quote or `...` in between, do not match.
  {
    name: 'a private key',
    pattern: new RegExp(
      String.raw`${pem}[ \t]*\r?\n(?:(?!-----|\.\.\.)[\w+/=:,.;()@ \t\r\n-]){1,20000}?${pemEnd}`,
      'g',
    ),
  },
  {
    name: 'a private key',
    pattern: new RegExp(
      String.raw`${pem}(?:\\r)?\\n(?:(?!-----|\.\.\.)[\w+/=:,.;()@ \\-]){1,20000}?${pemEnd}`,
      'g',
    ),
  },
  { name: 'a private key', pattern: new RegExp(String.raw`${pem}(?:\s|\\r|\\n){1,4}[A-Za-z0-9+/]{40}`, 'g') },
  { name: 'a private key', pattern: /^PuTTY-User-Key-File-\d: /gm },
  { name: 'a private key', pattern: token('AGE-SECRET-KEY-1[0-9A-Z]{50,}') },
  { name: 'a private key', pattern: /^\s*PrivateKey\s*=\s*[A-Za-z0-9+/]{43}=/gm },
  {
    name: 'an API key',
    pattern: token(String.raw`sk-[\w-]{16,}`),
    holds: ([text]) => isRandomPart(text.slice(3)),
  },
  { name: 'an API key', pattern: token('(?:gsk_|xai-|pplx-|hf_|r8_|sbp_|nfp_)[A-Za-z0-9]{30,}') },
  { name: 'a GitHub token', pattern: token('(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{22,})') },
  {
    name: 'a GitLab token',
    pattern: token(String.raw`gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-[\w-]{20,}`),
  },
  { name: 'an AWS key', pattern: token('(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])') },
  {
    name: 'an AWS key',
    pattern: /aws_?secret_?(?:access_?)?key["']?\s*[=:]\s*["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/gi,
  },
  { name: 'a Slack token', pattern: token('(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\\d-[A-Za-z0-9-]{10,})') },
  {
    name: 'a Slack token',
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/]{20,}/g,
  },
  {
    name: 'a Google key',
    pattern: token(String.raw`(?:AIza[\w-]{35}(?![\w-])|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,})`),
  },
  {
    name: 'a Stripe key',
    pattern: token('(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})'),
  },
  { name: 'an npm token', pattern: token('npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])') },
  {
    name: 'an npm token',
    pattern: /(?::_(?:authToken|password|auth)\s*=|npmAuthToken["']?\s*:)\s*["']?(?!["']?\$)[\w+/=.-]{8,}/g,
  },
  { name: 'a PyPI token', pattern: token(String.raw`pypi-[\w-]{50,}`) },
  { name: 'a SendGrid key', pattern: token(String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`) },
  {
    name: 'a token',
    pattern: token(
      '(?:do[opr]_v1_[a-f0-9]{64}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|dapi[a-f0-9]{32}|lin_api_[A-Za-z0-9]{40}|ntn_[A-Za-z0-9]{40,}|ATATT3[\\w=-]{60,}|PMAK-[a-f0-9-]{50,}|gl(?:sa|c)_[A-Za-z0-9+/=_]{32,}|tskey-[\\w-]{20,}|hvs\\.[\\w-]{24,}|sntrys_[\\w=+/-]{40,}|dop_v1_\\w{40,})',
    ),
  },
  { name: 'a Telegram token', pattern: token(String.raw`\d{8,10}:AA[\w-]{33}(?![\w-])`) },
  { name: 'an Azure key', pattern: /AccountKey=[A-Za-z0-9+/]{86}==/g },
  {
    name: 'a JSON web token',
    inSettings: true,
    pattern: token(String.raw`eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{16,}`),
  },
  {
    name: 'a key or password',
    inSettings: true,
    pattern:
      /(?:api[_-]?key|secret|token|passw(?:or)?d|passphrase|access[_-]?key|private[_-]?key|auth[_-]?key)["']?\s*[:=]\s*["']?([A-Za-z0-9+/_=-]{24,256})(?=["'\s,;}#]|$)/gi,
    holds: ([, value = '']) =>
      isRandomPart(value, true) && !(value.includes('/') && !/[A-Z].*[a-z]|[a-z].*[A-Z]/.test(value)),
  },
]

/** Returns the name of a key that a text seems to contain, or undefined. The path decides whether the file is a settings file. */
export function findKeyText(text: string, path: string): string | undefined {
  const isSettings = settingsFile.test(path)
  return marks.find(({ pattern, inSettings, holds }) => {
    if (inSettings && !isSettings) return false
    for (const match of text.matchAll(pattern))
      if (!isPlaceholder(match[0]) && (!holds || holds(match))) return true
    return false
  })?.name
}

/** Whether a text has a random part, not just words: a long part without a dash that mixes digits and letters, or is longer than any word. */
export function isRandomPart(text: string, needsDigits = false): boolean {
  return text.split(/[-_]/).some((part) => {
    const isMixed = /\d/.test(part) && /[A-Za-z]/.test(part)
    return part.length >= 16 && (isMixed || (!needsDigits && part.length >= 20))
  })
}

/** Whether a text is a placeholder such as `sk-xxxxxxxxxxxxxxxxxxxx`. */
export const isPlaceholder = (text: string) => /([xX*0])\1{11}/.test(text)
