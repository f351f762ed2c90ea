import { findersOf, formsOf, shortest } from './redact-forms.ts'
import { type FindSpellings, prepare } from './redact-spellings.ts'

/** A text that must stand in no prompt, file or message, under the name of the variable that holds it. */
interface Secret {
  name: string
  value: string
}

/** What the environment holds that is secret. */
interface Secrets {
  secrets: Secret[]
  /** Names whose values are not looked for: too short, or too common, to be told from other text. */
  unsuitable: string[]
}

/** Puts `[redacted NAME]` in the place of secrets. What it gives holds none, so that redacting it again changes nothing. */
export interface Redactor {
  /** Of the secrets that it looks for, sorted. */
  names: readonly string[]
  text(text: string): string
  /**
   * As `text`, and pieces of at least 6 characters of secrets that end or begin at a `…`: for a text that bench itself may
   * have cut before a redactor saw it. Not for prompts: a beginning such as `sk-ant-…` may well be meant.
   */
  cut(text: string): string
  /** A copy of plain data with every text in it redacted, names of fields included; the value itself where nothing is. */
  data<Value>(value: Value): Value
}

const secretName =
  /(?:^|[_\W])(?:api_?key|access_?key(?:_?id)?|(?:auth_?|access_?)?token|secret(?:_?key)?|passphrase|private_?key|credentials?|pwd)$|passw(?:or)?d$/i
// Named like secrets, and paths.
const path = /^(?:GOOGLE_APPLICATION_CREDENTIALS|PWD)$/i

/**
 * The secrets of an environment: every variable named like a key (`*_API_KEY`, `*_TOKEN`, `*_SECRET`, `*_PASSWORD`,
 * `AWS_SECRET_ACCESS_KEY`, …), and those that `further` names.
 */
export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
  further: readonly string[] = [],
): Secrets {
  const named = Object.keys(environment).filter((name) => secretName.test(name) && !path.test(name))
  const secrets: Secret[] = []
  const unsuitable: string[] = []
  for (const name of [...new Set([...named, ...further])].sort()) {
    const value = environment[name]?.trim() ?? ''
    if (value === '') continue
    if (value.length < shortest || marker(name).includes(value) || 'redacted'.includes(value))
      unsuitable.push(name)
    else secrets.push({ name, value })
  }
  return { secrets, unsuitable }
}

const marker = (name: string) => `[redacted ${name}]`

/** Looks for secrets and their usual encodings; undefined where there are none to look for. */
export function createRedactor(secrets: readonly Secret[]): Redactor | undefined {
  const forms = new Map<string, string>()
  for (const { name, value } of secrets)
    for (const form of formsOf(value)) if (!forms.has(form)) forms.set(form, name)
  if (forms.size === 0) return undefined
  const found = [...forms].sort(([a], [b]) => b.length - a.length)
  const spellings = secrets.flatMap(({ name, value }) => findersOf(value).map((find) => ({ name, find })))
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
  const prepared = prepare(text)
  return spellings.flatMap(({ name, find }) =>
    [...find(prepared)].map(([start, end]) => ({ start, end, name })),
  )
}

/** Fewer characters tell too little, and stand in texts by chance. */
const shortestPiece = 6

/** As we write it, as JSON in ASCII does, and several where a text was cut again. */
const cutMark = /(?:…|\\u2026)(?:\s|…|\\u2026)*/g

/** What a cut left of secrets: an end before the mark, a beginning after it, or all between two marks. */
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

/** Length of the longest end of one text with which the other begins; 0 where it is too short to tell. */
function sharedEnd(ending: string, beginning: string): number {
  const head = beginning.slice(0, shortestPiece)
  if (head.length < shortestPiece) return 0
  for (let at = ending.indexOf(head); at >= 0; at = ending.indexOf(head, at + 1))
    if (beginning.startsWith(ending.slice(at))) return ending.length - at
  return 0
}

/** Places that overlap become one, named by the longest secret in it: the rest of the other must not stay. */
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

/** Nearly all data are clean, and nothing of them is copied. Each value is looked at twice at most, however deep it lies. */
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
