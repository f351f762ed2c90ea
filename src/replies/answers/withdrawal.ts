import { isBareMarks } from './markup.ts'
import { languages, says } from './phrases.ts'

const longestLine = 600
/** Between two sentences. */
export const sentenceStart = /(?<=[.!?;…]["')\]*_]{0,3}\s{1,3})(?=\S)|(?<=[。！？।])/u
const others = new RegExp(
  `^(?:[^,，、.!?]{1,12}[,，、]\\s?){0,2}(?:${languages.flatMap(({ withdraws = [] }) => withdraws).join('|')})`,
  'iu',
)

/**
 * Returns what follows the words by which a text takes an answer back; undefined if it does not. `place`: the text follows the answer
 * right behind, where `That is wrong` means it, or it is a later line.
 */
export function behindWithdrawal(text: string, place: 'behind' | 'later', answer = ''): string | undefined {
  for (const said of new Set([text, namingAnswer(text, answer)])) {
    let at = 0
    for (const sentence of said.slice(0, longestLine).split(sentenceStart)) {
      const found =
        says.withdrawn.exec(sentence) ??
        others.exec(sentence) ??
        (at === 0 || place === 'behind' ? says.doubted.exec(sentence) : null) ??
        (at === 0 && place === 'behind' ? says.rejected.exec(sentence) : null)
      if (found) return said.slice(at + found[0].length)
      at += sentence.length
    }
  }
  return undefined
}

/** Whether a text behind data takes them back in so many words: `I withdraw that`. `This is wrong` may be said of what was judged. */
export const takesDataBack = (behind: string): boolean =>
  behind.split('\n').some((line) =>
    line
      .slice(0, longestLine)
      .split(sentenceStart)
      .some((said) => says.withdrawn.test(said)),
  )

/** Returns a text in which an answer is called what it is: `42 is wrong` behind the answer 42 says `my answer is wrong`. */
function namingAnswer(text: string, answer: string): string {
  const own = /^[([]?([A-Z])(?:[)\].:,]|$)/.exec(answer)?.[1] ?? answer.replace(/[.!]$/, '')
  if (own === '' || own.length > longestNamed || !text.includes(own)) return text
  const literal = own.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const named = new RegExp(
    `(?<![\\p{L}\\p{N}.,])(?:(?:[Oo]ption|[Cc]hoice|[Aa]nswer) )?[([*]{0,3}${literal}[)\\]*]{0,3}(?![\\p{L}\\p{N}])`,
    'gu',
  )
  return text.replace(named, 'my answer')
}

const longestNamed = 40

/** How many lines behind an answer may take it back. */
export const nearby = 20

/** Whether the line of an answer, the line behind it, or one that repeats the answer takes it back. */
export function isTakenBack(
  lines: readonly string[],
  at: number,
  { text, end = at }: { text: string; end?: number },
): boolean {
  const line = lines[end] as string
  const from = line.lastIndexOf(text.slice(0, 60))
  if (from >= 0 && says.deniedBehind.test(line.slice(from, from + 120))) return true
  let next = end + 1
  while (next < lines.length && isBareMarks(lines[next] as string)) next++
  return lines
    .slice(next, next + nearby)
    .some((line, i) => behindWithdrawal(line, i === 0 ? 'behind' : 'later', text) !== undefined)
}
