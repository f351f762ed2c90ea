/**
 * Returns a queue that serves the smallest priority first, and of equal priorities the one that came first. `take` returns
 * undefined if the queue is empty.
 */
export function createQueue() {
  const items = []
  return {
    add(value, priority) {
      let at = items.length
      while (at > 0 && items[at - 1].priority >= priority) at--
      items.splice(at, 0, { value, priority })
    },
    take: () => items.shift()?.value,
    size: () => items.length,
  }
}
