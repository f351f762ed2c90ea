import { baseBefore } from './base.ts'
import { isForeignNumeral } from './foreign-magnitudes.ts'
import { type Token, textAt } from './tokens.ts'
import { comparisonWords, negations, neutralWords, operators, scaleWords } from './words.ts'

/** Returns why a number is no plain one, from what stands beside it: `stands beside "half of"`. */
export const beside = (what: string): string => `stands beside ${JSON.stringify(what)}`

/** Returns why what stands before a number makes it no plain number, as `stands beside "half of"`; undefined if it does not. */
export function problemBefore(tokens: readonly Token[], from: number): string | undefined {
  return markBefore(tokens, from) ?? wordsBefore(tokens, from)
}

function markBefore(tokens: readonly Token[], from: number): string | undefined {
  const touching = tokens[from - 1]
  if (touching === undefined) return undefined
  if (touching.kind === 'word' && /^\\|[\p{Script=Latin}\p{Script=Greek}\d_]$/u.test(touching.text))
    return beside(touching.text)
  const spaced = touching.kind === 'space'
  const word = tokens[spaced ? from - 2 : from - 1]
  if (word?.kind === 'word' && isForeignNumeral(word.text, !spaced)) return beside(word.text)
  if (/^[)\]}]$/.test(touching.text) || touching.kind === 'power') return beside(touching.text)
  if (/^[.…:,'_]$/.test(touching.text) && tokens[from - 2]?.kind === 'number')
    return beside(textAt(tokens, from - 2) + touching.text)
  if (touching.text === '.' && textAt(tokens, from - 2) === '.') return beside('..')
  if (touching.text === '(' && /^[\p{L}\d_√-]+$/u.test(textAt(tokens, from - 2)))
    return beside(textAt(tokens, from - 2))
  const at = touching.kind === 'space' ? from - 2 : from - 1
  const mark = textAt(tokens, at)
  if (mark === '!' && textAt(tokens, from - 1) !== ' ') return beside(mark)
  if (mark === '=' && /^[!<>≠]$/.test(textAt(tokens, at - 1))) return beside(`${textAt(tokens, at - 1)}=`)
  if (!(operators.has(mark) || /^\*+$/.test(mark))) return undefined
  // A dash between spaces, behind a word or a stop, parts a sentence: `Result – 5`.
  const dash = mark === '–' && touching.kind === 'space' && tokens[at - 1]?.kind === 'space'
  return dash && tokens[at - 2]?.kind !== 'number' && textAt(tokens, at - 2).length > 1
    ? undefined
    : beside(mark)
}

/** How far before a number a word may negate it. */
const reach = 5

function wordsBefore(tokens: readonly Token[], from: number): string | undefined {
  const words = clauseBefore(tokens, from)
  const first = words.findIndex((word) => !neutralWords.has(word))
  const [near = '', next = ''] =
    first === -1 ? [] : words.slice(first).filter((word) => word !== 'the' && word !== 'a')
  if ((near === 'x' && !isApproximated(tokens, from)) || comparisonWords.has(near)) return beside(near)
  if (/^(?:least|most|minimum|maximum)$/.test(near) && next === 'at') return beside(`at ${near}`)
  if (near === 'to' && next === 'up') return beside('up to')
  if (near === 'to' && /^equal/.test(next) && words[first + 2] === 'or') return beside('or equal to')
  if (near === 'by' && /^(?:multiplied|divided|times)$/.test(next)) return beside(`${next} by`)
  if (near === 'plus') return beside(near)
  if (near === 'of' && scaleWords.has(next)) return beside(`${next} of`)
  if (near === 'but') return beside('but')
  if (near === 'from' && /^(?:apart|aside|away|different|far)$/.test(next)) return beside(`${next} from`)
  const base = baseBefore(words.slice(0, reach).reverse())
  if (base !== undefined) return beside(base)
  if (multipliers.has(near) || /^(?:log|ln|lg)_/.test(near) || near.startsWith('\\')) return beside(near)
  const negation = words.slice(0, reach).find((word) => negations.has(word) || word.endsWith("n't"))
  return negation === undefined ? undefined : beside(negation)
}

/** Whether `≈` stands right before a number: in `x ≈ 11` the letter is no sign of multiplication. */
const isApproximated = (tokens: readonly Token[], from: number) =>
  textAt(tokens, tokens[from - 1]?.kind === 'space' ? from - 2 : from - 1) === '≈'

/** Words of scale that need no `of`. */
const multipliers = new Set(
  'half twice double triple thrice quadruple root log ln sin cos tan exp sqrt times over mod modulo choose'.split(
    ' ',
  ),
)

/** How many tokens before a number can matter; a bound on the time that is spent on each number. */
const farthest = 40

/** Returns the words before a number, nearest first and in lower case, up to the mark or number that ends their clause. */
function clauseBefore(tokens: readonly Token[], from: number): string[] {
  const words: string[] = []
  for (let at = from - 1; at >= Math.max(0, from - farthest); at--) {
    const { kind, text } = tokens[at] as Token
    if (kind === 'number' || (kind === 'space' && text.includes('\n'))) break
    if (text === ')') {
      while (at > from - farthest && textAt(tokens, at) !== '(') at--
      continue
    }
    if (kind === 'mark' && !/^[~≈'([\]$]$/.test(text)) break
    if (kind !== 'word') continue
    const word = text.toLowerCase()
    if (
      /^(?:so|because|since|if|while)$/.test(word) ||
      (word === 'but' && words.some((one) => !neutralWords.has(one)))
    )
      break
    words.push(word)
  }
  return words
}
