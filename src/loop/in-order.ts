/** Takes things by their place in the plan and hands them on in that order, as far as it costs little to wait. */
export interface InOrder<Thing> {
  /** `urgent`: hand on at once, with all that wait. */
  put(place: number, thing: Thing, urgent: boolean): void
  /** Hands on all that wait. */
  flush(): void
}

/**
 * Trials end nearly in the order of the plan, so that holding a few back puts a file in order that would otherwise
 * have to be sorted. Never holds more than `window`. `isDone` tells places that nothing will come for.
 */
export function inOrder<Thing>(
  window: number,
  isDone: (place: number) => boolean,
  handOn: (place: number, thing: Thing) => void,
): InOrder<Thing> {
  const held = new Map<number, Thing>()
  const ahead = new Set<number>()
  let next = 0
  const flush = () => {
    for (const place of [...held.keys()].sort((a, b) => a - b)) {
      handOn(place, held.get(place) as Thing)
      ahead.add(place)
    }
    held.clear()
  }
  return {
    put(place, thing, urgent) {
      if (place === next && held.size === 0 && ahead.size === 0) {
        handOn(place, thing)
        next++
        return
      }
      held.set(place, thing)
      for (;;) {
        if (held.has(next)) {
          handOn(next, held.get(next) as Thing)
          held.delete(next)
        } else if (!isDone(next) && !ahead.delete(next)) break
        next++
      }
      if (urgent || held.size > window) flush()
    },
    flush,
  }
}
