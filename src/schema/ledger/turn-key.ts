/** Returns the key of a turn of an ask with tools, from 1: `#0.1`. Without tools an ask is one step, `#0`. */
export const turnKey = (ask: string, turn: number) => `${ask}.${turn}`

/** Returns the key of a call in a turn, from 1: `#0.1.2`. */
export const callKey = (turn: string, call: number) => `${turn}.${call}`

/** Returns the key of the turn that a call is in: `#0.1` for `#0.1.2`. */
export const turnOf = (call: string) => call.slice(0, call.lastIndexOf('.'))

/** Returns the key of the effect that a step belongs to: that of the ask for its turns and calls. */
export function effectKey(key: string): string {
  const counter = key.lastIndexOf('#')
  const end = counter < 0 ? -1 : key.indexOf('.', counter)
  return end < 0 ? key : key.slice(0, end)
}

/** Whether a step of an ask is its first turn, or the ask has no turns. */
export const isFirstTurn = (key: string) => (placesOf(key)[1] ?? 1) === 1

/** Compares the places of two effects of one branch: that of an ask comes before those of its turns and their calls. */
export function comparePlaces(a: string, b: string): number {
  const [left, right] = [placesOf(a), placesOf(b)]
  const at = left.findIndex((place, i) => place !== right[i])
  if (at < 0) return left.length - right.length
  return (left[at] as number) - (right[at] ?? -1)
}

/** Returns an effect's place in its branch and, for a turn or a call, the places in it: `[0, 1, 2]` for `#0.1.2`. */
export const placesOf = (key: string): number[] =>
  key
    .slice(key.lastIndexOf('#') + 1)
    .split('.')
    .map(Number)
