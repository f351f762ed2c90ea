import { isSecretName } from './hide-keys.ts'
import { createSpellingFinders, encodedForms, minSecretLength } from './redact-forms.ts'
import { type FindSpellings, prepareText } from './redact-spellings.ts'

interface Secret {
  name: string
  value: string
}

interface Secrets {
  secrets: Secret[]
  /** Names whose values are not redacted, because they are too short or too common. */
  unsuitable: string[]
}

/** Replaces secrets by `[redacted NAME]`. Redacting the result again changes nothing. */
export interface Redactor {
  /** Names of the secrets, sorted. */
  names: readonly string[]
  text(text: string): string
  /**
   * Like `text`, but also replaces parts of secrets with at least 6 characters that end or begin at a `…`, for a text that bench
   * may have shortened before. Not for prompts, where a prefix such as `sk-ant-…` may be intended.
   */
  cut(text: string): string
  /** Redacts all texts in plain data, names of fields included. Returns the value itself if there is nothing to redact. */
  data<Value>(value: Value): Value
}

/**
 * Returns the secrets of an environment: every variable named like a key (`*_API_KEY`, `*_TOKEN`, `*_SECRET`, `*_PASSWORD`,
 * `AWS_SECRET_ACCESS_KEY`, …), and those in `further`.
 */
export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
  further: readonly string[] = [],
): Secrets {
  const named = Object.keys(environment).filter(isSecretName)
  const secrets: Secret[] = []
  const unsuitable: string[] = []
  for (const name of [...new Set([...named, ...further])].sort()) {
    const value = environment[name]?.trim() ?? ''
    if (value === '') continue
    if (value.length < minSecretLength || marker(name).includes(value) || 'redacted'.includes(value))
      unsuitable.push(name)
    else secrets.push({ name, value })
  }
  return { secrets, unsuitable }
}

const marker = (name: string) => `[redacted ${name}]`

/** Creates a redactor for secrets and their encodings; undefined if there are none. */
export function createRedactor(secrets: readonly Secret[]): Redactor | undefined {
  const forms = new Map<string, string>()
  for (const { name, value } of secrets)
    for (const form of encodedForms(value)) if (!forms.has(form)) forms.set(form, name)
  if (forms.size === 0) return undefined
  const found = [...forms].sort(([a], [b]) => b.length - a.length)
  const spellings = secrets.flatMap(({ name, value }) =>
    createSpellingFinders(value).map((find) => ({ name, find })),
  )
  const places = (text: string) => [...placesOf(text, found), ...spelledPlaces(text, spellings)]
  const text = (text: string) => {
    const all = places(text)
    return all.length > 0 ? replace(text, all) : text
  }
  return {
    names: [...new Set(secrets.map(({ name }) => name))].sort(),
    text,
    cut: (text) => replace(text, [...places(text), ...piecesOf(text, found)]),
    data: (value) => mapTexts(value, text),
  }
}

type Forms = readonly (readonly [form: string, name: string])[]

interface Place {
  start: number
  end: number
  name: string
}

function placesOf(text: string, forms: Forms): Place[] {
  const places: Place[] = []
  for (const [form, name] of forms)
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1))
      places.push({ start: at, end: at + form.length, name })
  return places
}

function spelledPlaces(text: string, spellings: readonly { name: string; find: FindSpellings }[]): Place[] {
  const prepared = prepareText(text)
  return spellings.flatMap(({ name, find }) =>
    [...find(prepared)].map(([start, end]) => ({ start, end, name })),
  )
}

/** Shorter parts occur in texts by chance. */
const shortestPiece = 6

/** The mark of a cut, also in ASCII JSON; several in a row if a text was cut again. */
const cutMark = /(?:…|\\u2026)(?:\s|…|\\u2026)*/g

/** Finds parts of secrets beside cuts: a beginning of one before a mark, an end after it, or a part between two marks. */
function piecesOf(text: string, forms: Forms): Place[] {
  const marks = [...text.matchAll(cutMark)].map((mark) => ({
    start: mark.index,
    end: mark.index + mark[0].length,
  }))
  const longest = forms[0]?.[0].length ?? 0
  const places: Place[] = []
  const add = (start: number, length: number, name: string) => {
    if (length >= shortestPiece) places.push({ start, end: start + length, name })
  }
  marks.forEach((mark, i) => {
    const from = Math.max(marks[i - 1]?.end ?? 0, mark.start - longest - 2)
    const before = text.slice(from, mark.start).trimEnd()
    const after = text.slice(mark.end, Math.min(marks[i + 1]?.start ?? text.length, mark.end + longest))
    const isBetween = from === marks[i - 1]?.end
    for (const [form, name] of forms) {
      if (isBetween && form.includes(before)) add(from, before.length, name)
      const begun = sharedEnd(before, form)
      add(from + before.length - begun, begun, name)
      add(mark.end, sharedEnd(form, after), name)
    }
  })
  return places
}

/** Returns the length of the longest end of one text with which the other begins; 0 if it is too short. */
function sharedEnd(ending: string, beginning: string): number {
  const head = beginning.slice(0, shortestPiece)
  if (head.length < shortestPiece) return 0
  for (let at = ending.indexOf(head); at >= 0; at = ending.indexOf(head, at + 1))
    if (beginning.startsWith(ending.slice(at))) return ending.length - at
  return 0
}

/** Merges places that overlap, so that no rest of a secret stays, and names them by the longest secret. */
function replace(text: string, places: Place[]): string {
  places.sort((a, b) => a.start - b.start || b.end - a.end)
  let redacted = ''
  let from = 0
  for (let i = 0; i < places.length; ) {
    const first = places[i] as Place
    let { end } = first
    let longest = first
    for (i++; i < places.length; i++) {
      const next = places[i] as Place
      if (next.start >= end) break
      end = Math.max(end, next.end)
      if (next.end - next.start > longest.end - longest.start) longest = next
    }
    redacted += text.slice(from, first.start) + marker(longest.name)
    from = end
  }
  return redacted + text.slice(from)
}

function mapTexts<Value>(value: Value, map: (text: string) => string): Value {
  return isSame(value, map) ? value : (mapped(value, map) as Value)
}

function isSame(value: unknown, map: (text: string) => string): boolean {
  if (typeof value === 'string') return map(value) === value
  if (value === null || typeof value !== 'object') return true
  if (Array.isArray(value)) return value.every((item) => isSame(item, map))
  const fields = value as Readonly<Record<string, unknown>>
  return Object.keys(fields).every((key) => map(key) === key && isSame(fields[key], map))
}

function mapped(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => mapped(item, map))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [map(key), mapped(item, map)]))
}
