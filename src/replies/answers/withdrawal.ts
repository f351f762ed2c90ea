import { languages, says } from './phrases.ts'

const longestLine = 600
const sentenceStart = /(?<=[.!?;…]["')\]*_]{0,3}\s{1,3})(?=\S)|(?<=[。！？।])/u
const others = new RegExp(
  `^(?:[^,，、.!?]{1,12}[,，、]\\s?){0,2}(?:${languages.flatMap(({ withdraws = [] }) => withdraws).join('|')})`,
  'iu',
)

/**
 * Returns the end of the words by which a text takes an answer back; undefined if it does not. `place`: the text follows the answer
 * right behind, where `That is wrong` means it, or it is a later line.
 */
export function takenBackAt(text: string, place: 'behind' | 'later'): number | undefined {
  let at = 0
  for (const sentence of text.slice(0, longestLine).split(sentenceStart)) {
    const found =
      says.withdrawn.exec(sentence) ??
      others.exec(sentence) ??
      (at === 0 || place === 'behind' ? says.doubted.exec(sentence) : null) ??
      (at === 0 && place === 'behind' ? says.rejected.exec(sentence) : null)
    if (found) return at + found[0].length
    at += sentence.length
  }
  return undefined
}

/** Returns a text in which an answer is called what it is: `42 is wrong` behind the answer 42 says `my answer is wrong`. */
export function namingAnswer(text: string, answer: string): string {
  const own = /^[([]?([A-Z])(?:[)\].:,]|$)/.exec(answer)?.[1] ?? answer.replace(/[.!]$/, '')
  if (own === '' || own.length > longestNamed || !text.includes(own)) return text
  const literal = own.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const named = new RegExp(
    `(?<![\\p{L}\\p{N}.,])(?:(?:option|choice|answer) )?[([*]{0,3}${literal}[)\\]*]{0,3}(?![\\p{L}\\p{N}])`,
    'giu',
  )
  return text.replace(named, 'my answer')
}

const longestNamed = 40
