import { createHistory } from './history.ts'

export interface TextBuffer {
  text(): string
  cursor(): number
  moveTo(position: number): void
  insert(addition: string): void
  remove(from: number, to: number): void
  undo(): boolean
  redo(): boolean
  group<Result>(work: () => Result): Result
  sizes(): { undo: number; redo: number }
}

/** A text with a cursor, whose edits can be undone. */
export function createBuffer(text = '', limit = 100): TextBuffer {
  throw new Error('not implemented')
}
