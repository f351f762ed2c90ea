const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'
const small = new Map<string, number>([
  ...units.split(' ').map((word, value) => [word, value] as const),
  ...tens.split(' ').map((word, index) => [word, 20 + 10 * index] as const),
  ['fourty', 40],
])
const large = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
])

/** A word for a number, as an expression: `seven`, `forty`. */
export const numberWord = [...small.keys()].join('|')

const nextWord = /[ -](?:(?<= )and )?(\p{L}+)/uy

/** An English number in words. `end` is where it ends in its text. */
interface WordedNumber {
  value: number
  end: number
}

/** Reads the English number that starts at a place: `two hundred and seven`, `forty-two`; undefined if none starts there. */
export function readNumberWords(text: string, start: number): WordedNumber | undefined {
  let total = 0
  let group: number | undefined
  let lastAdded = Number.POSITIVE_INFINITY
  let end = start
  let match = /^\p{L}+/u.exec(text.slice(start, start + 20))?.[0]
  for (let at = start; match !== undefined; ) {
    const word = match.toLowerCase()
    const value = small.get(word)
    if (value !== undefined) {
      // `forty two` is one number; `two forty` and `two two` are two.
      if (value >= lastAdded || (lastAdded >= 20 && lastAdded < 100 && value >= 10)) return undefined
      if (group !== undefined && lastAdded < 20) return undefined
      group = (group ?? 0) + value
      lastAdded = value
    } else if (word === 'hundred' && group !== undefined && group > 0 && group < 100) {
      group *= 100
      lastAdded = 100
    } else if (large.has(word) && group !== undefined) {
      total += group * (large.get(word) as number)
      group = 0
      lastAdded = Number.POSITIVE_INFINITY
    } else break
    end = at + word.length
    nextWord.lastIndex = end
    const next = nextWord.exec(text)
    at = nextWord.lastIndex - (next?.[1]?.length ?? 0)
    match = next?.[1]
  }
  return end === start ? undefined : { value: total + (group ?? 0), end }
}
