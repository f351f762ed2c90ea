import type { Score } from '../../schema/ledger/outcome.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { HandedIn } from '../story/handed-in.ts'
import { reasonText, safeText } from '../words/safe-text.ts'

/** Place of a text among the texts of the page; null: there is none; -1: not stored, or left out because of its size. */
type TextPlace = number | null

/** What one trial handed in, and what its graders say, as data for the page's script. */
interface PageDelivery {
  answer: TextPlace
  /** Path, text in the beginning, text at the end; null: unknown. */
  files: [path: string, before: TextPlace, after: TextPlace][] | null
  /** Verdicts of graders, and why the trial ended. */
  verdicts: number[]
}

/** What the trials of a page handed in; null: left out because of its size. Equal texts are held once. */
export interface HandedInData {
  trials: (PageDelivery | null)[]
  texts: string[]
}

/** Returns a grader's verdict; for tests, the failures begin on the second line: `tests: 0.29, 6 of 21 passed.` */
function verdictText({ name, value, tests, reason }: Score): string {
  const head = `${name}: ${value.toFixed(2)}`
  if (!tests) return `${head}. ${reason}${/[\p{L}\p{N}]$/u.test(reason) ? '.' : ''}`.trim()
  const failures = reason.replace(/^\d+ of \d+ tests passed[.:]?\s*/, '')
  return `${head}, ${tests.passed} of ${tests.total} passed.${failures ? `\n${failures}` : ''}`
}

/** Collects what trials handed in, up to about `most` characters of text. */
export function collectHandedIn(most: number) {
  const data: HandedInData = { trials: [], texts: [] }
  const places = new Map<string, number>()
  let characters = 0
  const placeOf = (text: string): number => {
    const safe = safeText(text)
    const known = places.get(safe)
    if (known !== undefined) return known
    if (characters + safe.length > most) return -1
    characters += safe.length
    places.set(safe, data.texts.length)
    return data.texts.push(safe) - 1
  }
  const orNot = (text: string | null | undefined): TextPlace =>
    text === undefined ? -1 : text === null ? null : placeOf(text)
  return {
    data,
    isFull: () => characters >= most,
    /** Adds a trial; `delivery` undefined: what it handed in is left out. */
    add(record: TrialRecord, delivery: HandedIn | undefined): void {
      if (!delivery || characters >= most) {
        data.trials.push(null)
        return
      }
      const { answer, files } = delivery
      const { scores, outcome } = record
      data.trials.push({
        answer: orNot(answer),
        files: files?.map(({ path, before, after }) => [safeText(path), orNot(before), orNot(after)]) ?? null,
        verdicts: [
          ...scores.map((score) => placeOf(verdictText(score))),
          ...(outcome.reason ? [placeOf(`${outcome.status}: ${reasonText(record)}`)] : []),
        ],
      })
    },
  }
}
