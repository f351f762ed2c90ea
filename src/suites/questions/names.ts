import type { Problem } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'

/** Keeps the names of a table's tasks apart. */
export interface Names {
  /**
   * Takes an id for the task of a row, which `text` names. Gives a problem if an earlier row has it, and once a note if the text has no
   * sign that an id can have.
   */
  take(row: { where: string; line: number }, text: string, id: string): { problem?: Problem; note?: string }
}

/** Returns the names of a table of which no row was read. `column` gives the names. */
export function createNames(column: string): Names {
  const seen = new Map<string, { text: string; line: number }>()
  let isNoted = false
  return {
    take({ where, line }, text, id) {
      const place = `${where} ${column}`
      // Names that differ only by case are one on many file systems.
      const earlier = seen.get(id.toLowerCase())
      if (earlier) return { problem: { where: place, ...nameAgain(text || id, id, earlier) } }
      seen.set(id.toLowerCase(), { text: text || id, line })
      if (isNoted || /[A-Za-z0-9]/.test(text.normalize('NFKD')) || text === '') return {}
      isNoted = true
      const because = 'has no Latin letter and no digit'
      return { note: `${place}: ${quoted(text)} ${because}, so the task is named by its place, ${id}` }
    },
  }
}

const nameAgain = (text: string, id: string, earlier: { text: string; line: number }) => ({
  what: `gives the name ${shorten(id, 80)} again: ${quoted(text)}, as ${quoted(earlier.text)} in line ${earlier.line}`,
  fix: 'Give each row its own, in Latin letters and digits, or name another column as ?id=COLUMN.',
})

const quoted = (text: string) => JSON.stringify(shorten(text, 80))
