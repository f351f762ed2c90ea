import type { Tokens } from '../../schema/tokens.ts'
import type { AgentErrorReason } from '../../text/errors.ts'
import { isObject } from '../../text/is-object.ts'
import { type Json, tryParseJson } from '../wire/json.ts'

/** The output of a CLI that has ended. */
export interface CliOutput {
  stdout: string
  stderr: string
  /** Null if a signal ended it. */
  exitCode: number | null
  /** The signal that ended it. */
  killedBy?: string | null
}

/** The contents of a CLI's output. */
export interface CliReading {
  text: string
  /** The CLI's own id of the session, to resume it. */
  session?: string
  tokens: Tokens
  /** The cost that the CLI reports, in US dollars; null if it reports none. */
  costUsd: number | null
  /** Which numbers are totals of the whole session, so that earlier totals must be subtracted. */
  cumulative: { tokens: boolean; cost: boolean }
  /** The model that answered, if reported. */
  model?: string
  /** The CLI's own usage object. */
  usage?: Record<string, unknown>
  error?: { reason: AgentErrorReason; message: string }
}

/** Tokens of a call that reported none. */
export const unreportedTokens: Tokens = { input: null, output: null, cached: null }

/** Returns the last JSON value in a text that may have banners, warnings and stack traces around it. */
export function lastJson(text: string): unknown {
  const trimmed = text.trim()
  const whole = tryParseJson(trimmed)
  if (whole !== undefined) return whole
  for (const [open, close] of ['{}', '[]'] as const) {
    let end = trimmed.lastIndexOf(close as string)
    // A banner after the value may contain a brace, so a few earlier ones are tried, each with the line starts before it.
    for (let tries = 0; end >= 0 && tries < 8; tries++, end = trimmed.lastIndexOf(close as string, end - 1)) {
      for (const start of starts(trimmed, open as string, end)) {
        const value = tryParseJson(trimmed.slice(start, end + 1))
        if (value !== undefined) return value
      }
    }
  }
  return undefined
}

/** Returns the JSON objects of a text with one object per line. Other lines are skipped. */
export function jsonLines(text: string): Json[] {
  return text.split('\n').flatMap((line) => {
    const value = line.startsWith('{') ? tryParseJson(line) : undefined
    return isObject(value) ? [value] : []
  })
}

/** Yields where lines begin with an opening bracket, the last first, at most 64 of them. */
function* starts(text: string, open: string, before: number): Generator<number> {
  let tries = 0
  for (let at = text.lastIndexOf(open, before); at >= 0 && tries < 64; at = text.lastIndexOf(open, at - 1)) {
    if (at > 0 && text[at - 1] !== '\n') continue
    tries++
    yield at
    if (at === 0) return
  }
}
