import { canonicalJson } from '../../../text/canonical-json.ts'

/** A call as its repetitions are counted. */
export interface CountedCall {
  /** Equal for calls with the same tool and arguments on the same files and notes. */
  same: string
  /** The tool's server, if its answers depend on more than that. */
  server: string | undefined
}

/** Counts the equal calls of one ask. */
export interface Repeats {
  /** Whether a call was made so often that it is not made again. */
  isRepeated(call: CountedCall): boolean
  /** Counts a call that was made, with what the agent got. */
  add(call: CountedCall, answer: string): void
}

/** How often the same call is made while nothing changes. */
const mostEqualCalls = 2

/** After so many turns in a row with nothing but repeated calls an agent must answer: each further one would only cost. */
export const mostRepeatedTurns = 3

/**
 * Opens a count. A server with a state is a source of changes itself: only its latest calls count, as long as they are equal and their
 * answers are, too.
 */
export function countRepeats(): Repeats {
  const counts = new Map<string, number>()
  const latest = new Map<string, { same: string; answer: string; count: number }>()
  return {
    isRepeated({ same, server }) {
      if (server === undefined) return (counts.get(same) ?? 0) >= mostEqualCalls
      const last = latest.get(server)
      return last?.same === same && last.count >= mostEqualCalls
    },
    add({ same, server }, answer) {
      if (server === undefined) {
        counts.set(same, (counts.get(same) ?? 0) + 1)
        return
      }
      const last = latest.get(server)
      const isEqual = last?.same === same && last.answer === answer
      latest.set(server, { same, answer, count: isEqual ? last.count + 1 : 1 })
    },
  }
}

/** Returns the arguments of a call in a form that is the same for equal ones. */
export function equalArguments(text: string): string {
  try {
    return canonicalJson(JSON.parse(text.trim() || '{}') ?? {})
  } catch {
    // What a model wrote may be no JSON, or more than JSON can hold.
    return text
  }
}
