export interface History<Entry> {
  push(entry: Entry): void
  top(): Entry | undefined
  replaceTop(entry: Entry): void
  undo(): Entry | undefined
  redo(): Entry | undefined
  sizes(): { undo: number; redo: number }
}

/** Entries to undo, at most `limit`, and to redo. */
export function createHistory<Entry>(limit: number): History<Entry> {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError('the limit is an integer of at least 1')
  const done: Entry[] = []
  const undone: Entry[] = []

  function move(from: Entry[], to: Entry[]): Entry | undefined {
    if (from.length === 0) return undefined
    const entry = from.pop() as Entry
    to.push(entry)
    return entry
  }

  return {
    push(entry) {
      done.push(entry)
      if (done.length > limit) done.shift()
      undone.length = 0
    },
    top: () => done.at(-1),
    replaceTop(entry) {
      if (done.length === 0) return
      done[done.length - 1] = entry
      undone.length = 0
    },
    undo: () => move(done, undone),
    redo: () => move(undone, done),
    sizes: () => ({ undo: done.length, redo: undone.length }),
  }
}
