import { compareNumber, parse } from 'lossless-json'
import type { Problem } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'

/**
 * Stands in place of a value that would silently become another one: a number with more digits than a number of JavaScript keeps, or a
 * field that its object has twice. Whoever uses the value reports it; in a field that nobody uses it does no harm.
 */
export class Doubt {
  readonly what: string
  readonly fix: string

  constructor({ what, fix }: { what: string; fix: string }) {
    this.what = what
    this.fix = fix
  }
}

/** Parses JSON; in place of values that would silently change stands a `Doubt`. Gives what is wrong with a text that is no JSON. */
export function parseExactJson(text: string): { data: unknown } | Pick<Problem, 'what'> {
  try {
    return { data: parse(text, undefined, { parseNumber: numberOrDoubt, onDuplicateKey: () => twice }) }
  } catch (error) {
    if (error instanceof RangeError) return { what: 'is nested too deeply' }
    return { what: `is not JSON: ${(error as Error).message}` }
  }
}

const twice = new Doubt({ what: 'is there twice, with different values', fix: 'Keep one of them.' })

function numberOrDoubt(text: string): number | Doubt {
  if (keepsDigits(text)) return Number(text)
  const shown = shorten(text, 40)
  return new Doubt({
    what: `would be read as ${Number(text)}, not as ${shown}`,
    fix: `Write it as a text, in quotes: "${shown}".`,
  })
}

/** Whether JavaScript reads a number, written as in JSON, without changing its value in decimals. */
export function keepsDigits(text: string): boolean {
  const read = Number(text)
  return Number.isFinite(read) && compareNumber(text, String(read)) === 0
}
