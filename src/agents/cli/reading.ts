import type { Tokens } from '../../schema/tokens.ts'
import type { AgentErrorReason } from '../../text/errors.ts'

/** What a CLI left when it ended. */
export interface CliOutput {
  stdout: string
  stderr: string
  exitCode: number | null
}

/** What a CLI said, read from its JSON. */
export interface CliReading {
  text: string
  /** Its own id of the session, to resume it. */
  session?: string
  tokens: Tokens
  /** As the CLI reports it; null when it reports none. */
  costUsd: number | null
  /** Which of these are totals of the whole session so far, so that what was told before is to be taken off. */
  cumulative: { tokens: boolean; cost: boolean }
  /** The model that answered, where it says so. */
  model?: string
  /** Its own usage object. */
  usage?: Record<string, unknown>
  error?: { reason: AgentErrorReason; message: string }
}

/** Any JSON object. */
export type Json = Record<string, unknown>

/** Numbers that were not told. */
export const unreportedTokens: Tokens = { input: null, output: null, cached: null }

/** The last JSON value in a text that may have banners, warnings and stack traces around it. */
export function lastJson(text: string): unknown {
  const trimmed = text.trim()
  const whole = parse(trimmed)
  if (whole !== undefined) return whole
  for (const [open, close] of ['{}', '[]'] as const) {
    let end = trimmed.lastIndexOf(close as string)
    // A brace in a banner after the value: a few steps back are enough, each is tried against the line starts before it.
    for (let tries = 0; end >= 0 && tries < 8; tries++, end = trimmed.lastIndexOf(close as string, end - 1)) {
      for (const start of starts(trimmed, open as string, end)) {
        const value = parse(trimmed.slice(start, end + 1))
        if (value !== undefined) return value
      }
    }
  }
  return undefined
}

/** The JSON objects of a text that has one on each line, beside lines that are none. */
export function jsonLines(text: string): Json[] {
  return text.split('\n').flatMap((line) => {
    const value = line.startsWith('{') ? parse(line) : undefined
    return isJson(value) ? [value] : []
  })
}

/** Where a line begins with an opening bracket, the last first; at most as many as a sane output has. */
function* starts(text: string, open: string, before: number): Generator<number> {
  let tries = 0
  for (let at = text.lastIndexOf(open, before); at >= 0 && tries < 64; at = text.lastIndexOf(open, at - 1)) {
    if (at > 0 && text[at - 1] !== '\n') {
      if (at === 0) return
      continue
    }
    tries++
    yield at
    if (at === 0) return
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object at a path; an empty one where there is none. */
export function objectAt(value: unknown, ...path: string[]): Json {
  const found = path.reduce<unknown>((inner, key) => (isJson(inner) ? inner[key] : undefined), value)
  return isJson(found) ? found : {}
}

/** The text in a field; empty where there is none. */
export function textAt(value: Json, field: string): string {
  const text = value[field]
  return typeof text === 'string' ? text : ''
}

/** The number in a field; null where it is not reported, which is not 0. */
export function numberAt(value: Json, field: string): number | null {
  const number = value[field]
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** The sum, null when one of its parts was not reported. */
export function sum(...parts: (number | null)[]): number | null {
  return parts.reduce((total, part) => (total === null || part === null ? null : total + part), 0)
}
