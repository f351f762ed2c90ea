import { groupBy } from '../../base/grouping.ts'
import type { GuessedGraders, SkippedItems } from '../../schema/run/run.ts'
import type { Guess } from '../../suites/suite.ts'
import { shorten } from '../../text/shorten.ts'

/** Groups rows that state no grader by how they are graded and why, in the order of their first rows. `source`: the selector. */
export function guessedGraders(source: string, guesses: readonly Guess[]): GuessedGraders[] {
  const places = guesses.map((guess, place) => ({ ...guess, place }))
  const odd = guesses.filter(({ grader }) => grader !== 'numeric').length
  return [...groupBy(places, keyOf).values()].map((rows) => {
    const { grader, reason } = rows[0] as Guess
    const isOdd = grader === 'exact' && rows.length === odd && odd < guesses.length
    const among = isOdd && reason.includes('digits') ? `${reason}${amongNumbers}` : reason
    return { source, grader, reason: among, count: rows.length, lines: rangesOf(rows) }
  })
}

const amongNumbers = ', though every other answer is a number'

const keyOf = ({ grader, reason }: Guess) => `${grader} ${reason}`

/** Returns the lines of rows. Rows that follow each other are a range, also where a cell between them has several lines. */
function rangesOf(rows: readonly { line: number; place: number }[]): string {
  const ranges: { from: number; to: number; last: number }[] = []
  for (const { line, place } of rows) {
    const open = ranges.at(-1)
    if (open && open.last + 1 === place) Object.assign(open, { to: line, last: place })
    else ranges.push({ from: line, to: line, last: place })
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}

/** Most characters of the lines in a note. */
const longestLines = 120

/** Says for the user how rows that state no grader are graded: in all, and which rows for which reason. */
export function guessNotes(
  item: string,
  groups: readonly GuessedGraders[],
  guesses: readonly Guess[],
): string[] {
  if (groups.length === 0) return []
  const counts = [...groupBy(groups, ({ grader }) => grader)].map(
    ([grader, own]) => `${grader} for ${own.reduce((sum, { count }) => sum + count, 0)}`,
  )
  return [
    `--tasks ${item}: each task is graded as its answer looks: ${counts.join(', ')}; ?grader=… sets one for all, a column "grader" one for each`,
    ...groups.map(({ grader, reason, lines }) => {
      const example = guesses.find(
        (guess) => guess.grader === grader && reason.replace(amongNumbers, '') === guess.reason,
      )
      const which =
        lines.length > longestLines ? `${lines.slice(0, longestLines).replace(/[^,]*$/, '')} …` : lines
      const answer = JSON.stringify(shorten(example?.answer ?? '', 40))
      return `${grader}, since ${reason}, such as ${answer}: ${/[-,]/.test(which) ? 'lines' : 'line'} ${which}`
    }),
  ]
}

const mostShown = 20

/** Says for the user how many items of a source were left out, and for the first twenty where they stand and why. */
export function leftOutNotes({ source, count, items = [] }: SkippedItems): string[] {
  const shown = items.slice(0, mostShown).map(({ where, what }) => `left out: ${where} ${what}`)
  const more = count - shown.length
  return [
    `--skip-invalid left out ${count} of ${source}, which could not be read`,
    ...shown,
    ...(more > 0 ? [`left out: ${more} more; run.json of a run lists them`] : []),
  ]
}
