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
  throw new Error('not implemented')
}
