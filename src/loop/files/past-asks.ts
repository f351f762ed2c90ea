import type { PastAsk } from '../../agents/agent.ts'

/**
 * The asks of a branch, from the last one back. Branches share what was asked before they were opened: with a list of its own in
 * each step of a graph, a graph of ten times the steps would take a hundred times the memory.
 */
export interface PastAsks {
  last: PastAsk
  before: PastAsks | undefined
  count: number
}

/** Returns the asks with one more. */
export const addAsk = (before: PastAsks | undefined, last: PastAsk): PastAsks => ({
  last,
  before,
  count: (before?.count ?? 0) + 1,
})

/** Returns the asks that follow those of `earlier`, with which they begin, in order; without `earlier` all of them. */
export function listAsks(asks: PastAsks | undefined, earlier?: PastAsks): PastAsk[] {
  const skipped = earlier?.count ?? 0
  const list = new Array<PastAsk>(Math.max(0, (asks?.count ?? 0) - skipped))
  let at = asks
  for (let place = list.length - 1; at && place >= 0; place--) {
    list[place] = at.last
    at = at.before
  }
  return list
}
