import type { Note, Table } from './table.ts'

/** A part of a report beside methods and comparison. */
export interface Section {
  /** Of the field in JSON. */
  name: 'coordination' | 'errorFlow'
  tables: Table[]
  notes: Note[]
  /** What the tables were made from, for programs. */
  data: unknown
}
