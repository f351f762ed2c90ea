import { z } from 'zod'

/** What a module's function may return, as JSON. */
const Returned = z.union([
  z.number(),
  z.boolean(),
  z.looseObject({ score: z.union([z.number(), z.boolean()]), reason: z.string().optional() }),
])

/** Reads the score and the reason that a function returned as JSON. A boolean is 1 or 0. Returns what is wrong with it otherwise. */
export function readReturned(json: string): { value: number; reason: string } | { problem: string } {
  const returned = parse(json)
  const { data } = Returned.safeParse(returned)
  if (data === undefined)
    return {
      problem: `returned ${shown(json)}, which is no score: return { score, reason }, a number or a boolean`,
    }
  const { score, reason = '' } = typeof data === 'object' ? data : { score: data }
  const value = Number(score)
  if (!(value >= 0 && value <= 1)) return { problem: `returned the score ${value}, which is not from 0 to 1` }
  return { value, reason: reason.trim() === '' ? `the score is ${value}` : reason }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const shown = (json: string) => (json.length > 200 ? `${json.slice(0, 200)}…` : json)
