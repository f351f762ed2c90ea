import { isPlaceholder, isRandomPart, type Mark, marks, token } from './key-text.ts'

/** Returns what a single value or text seems to contain, as in a file of settings, as a phrase; undefined if it is no key. */
export const findKeyIn = (text: string): string | undefined => phrase(keyPlaces(text))

/** Returns the same of each word of a command, whose options may say what the word after them is. */
export const findKeysInWords = (words: readonly string[]): (string | undefined)[] =>
  wordPlaces(words).map(phrase)

/** Returns what a web address holds besides host and path that is a key, as a phrase; undefined if it is none. */
export function findKeyInAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return findKeyIn(text)
  const { username, password, href } = new URL(text)
  return username + password === '' ? findKeyIn(href) : 'a user or password'
}

/** Replaces all that looks like a key in a text of any kind by `[hidden]`. Doing it again changes nothing. */
export const hideKeys = (text: string): string => hide(text, keyPlaces(text))

/** Does the same in a command, as words or as one text. */
export function hideKeysInCommand(command: string | readonly string[]): string {
  if (typeof command === 'string') return hide(command, commandPlaces(command))
  const places = wordPlaces(command)
  return command.map((word, i) => hide(word, places[i] ?? [])).join(' ')
}

interface Place {
  start: number
  end: number
  /** What stands there, with its article. */
  name: string
}

const phrase = ([first]: readonly Place[]) => first && `what looks like ${first.name}`

const keyOrPassword = 'a key or password'

/** Keys of Google have 39 characters. In a file the pattern is precise, in a setting somebody may have added to one. */
const longGoogleKey = token(String.raw`AIza[\w-]{30,}`)

const address =
  /(?:(https?:[/\\]*)|[a-z][a-z\d+.-]{0,20}:\/\/)([^\s/?#\\"'<>`]{0,1000})@|[?&;#]([^\s=?&;#"']{1,80})=([^\s&;#"'<>`]+)/gi
const header =
  /\b(?:authorization|x-[a-z-]{0,40}key|cookie)["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token)\s+)?([^\s"',;}]{8,})|\bbearer\s+([\w.+/=~-]{8,})/gi
const option = /(?<![\w-])(--?[a-z][\w.-]*|[a-z]\w*(?==))(?:=|\s+)(?:"([^"]*)"|'([^']*)'|([^\s"']+))/gi

function keyPlaces(text: string): Place[] {
  const places = [...marks, { name: 'a Google key', pattern: longGoogleKey }].flatMap(
    ({ name, pattern, holds }: Mark) =>
      [...text.matchAll(pattern)]
        .filter((match) => !isPlaceholder(match[0]) && (!holds || holds(match)))
        .map((match) => placeIn(match, match[1] ?? match[0], name)),
  )
  for (const match of text.matchAll(address)) {
    const [, web, login = '', parameter, value = ''] = match
    if (parameter === undefined) {
      const isKey = web ? login !== '' : /:[^:]/.test(login)
      if (isKey && !isReference(login)) places.push(placeIn(match, login, 'a user or password in an address'))
    } else if (isSecretParameter(parameter) && isSecret(value))
      places.push(placeIn(match, value, 'a key in an address'))
  }
  for (const match of text.matchAll(header)) {
    const value = match[1] ?? match[2] ?? ''
    if (isSecret(value)) places.push(placeIn(match, value, 'a key'))
  }
  return places
}

function commandPlaces(text: string): Place[] {
  const options = [...text.matchAll(option)].flatMap((match) => {
    const [, name = '', ...values] = match
    const value = values.find((one) => one !== undefined) ?? ''
    return isSecretOf(name, value) ? [placeIn(match, value, keyOrPassword)] : []
  })
  return [...keyPlaces(text), ...options]
}

const wordPlaces = (words: readonly string[]): Place[][] =>
  words.map((word, i) => {
    const before = words[i - 1] ?? ''
    const isNamed = /^--?[a-z][\w.-]*$/i.test(before) && isSecretOf(before, word)
    if (!isNamed) return commandPlaces(word)
    const [{ name } = { name: keyOrPassword }] = keyPlaces(word)
    return [{ start: 0, end: word.length, name }]
  })

function placeIn(match: RegExpExecArray, value: string, name: string): Place {
  const start = match.index + match[0].lastIndexOf(value)
  return { start, end: start + value.length, name }
}

function hide(text: string, places: Place[]): string {
  let hidden = ''
  let from = 0
  for (const { start, end } of places.sort((a, b) => a.start - b.start)) {
    if (start >= from) hidden += `${text.slice(from, start)}[hidden]`
    from = Math.max(from, end)
  }
  return hidden + text.slice(from)
}

const secretName =
  /(?:^|[_\W])(?:api_?key|access_?key(?:_?id)?|(?:auth_?|access_?)?token|secret(?:_?key)?|passphrase|private_?key|credentials?|pwd)$|passw(?:or)?d$/i
// These are named like secrets, but are paths.
const pathName = /^(?:GOOGLE_APPLICATION_CREDENTIALS|PWD)$/i

/** Whether a variable of this name holds a secret. */
export const isSecretName = (name: string): boolean => secretName.test(name) && !pathName.test(name)

const isSecretOption = (name: string) =>
  isSecretName(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').replaceAll('-', '_')) ||
  /^-*(?:pass|pw)$/i.test(name)

/** Whether a parameter of an address is named like a secret, however it is spelled. */
const isSecretParameter = (name: string) => {
  const plain = name.replaceAll(/%([4-7][\da-f]|2d)/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return isSecretOption(plain) || /^(?:key|auth|sig|signature)$/i.test(plain)
}

/** Whether an option with this value gives a program a secret. A key may be that of a map. */
const isSecretOf = (name: string, value: string) =>
  isSecret(value) && (isSecretOption(name) || (/^-*(?:key|auth)$/i.test(name) && isRandomPart(value, true)))

/** Whether the value of something that is named like a secret is one, not the name of what holds it. As short ones are not redacted, they count as none. */
const isSecret = (value: string) => value.length >= 8 && !isReference(value) && !isPlaceholder(value)

/** A variable, a file, another option, or what was hidden before. */
const isReference = (text: string) =>
  /^(?:\$\{?\w+\}?|\{[^{}]*\}|<[^<>]*>|%\w+%|env[:.]\w+|@?(?:\.{0,2}|~)\/.*|-.*|\[hidden\]|[A-Z][A-Z\d]*(?:_[A-Z\d]+)+)$/.test(
    text,
  )
