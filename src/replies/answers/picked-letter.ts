import type { Announcement } from './announcement.ts'
import { indexOfLetter } from './options.ts'
import { choices, fillParts, says } from './phrases.ts'

const longestLine = 600
const named =
  "(?:(?:the|die|la|el|le|a|o|option|choice|answer|letter|antwort|opción|opção|réponse|l['’]option|opzione|вариант|optie|antwoord|odpowiedź|opcję) ){0,2}"
const letter = `${named}[([*_"“]{0,3}[A-Z](?![\\p{Script=Latin}\\p{N}]|['’]s)[)\\]*_"”]{0,3}`
const chosen = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{N}])(?:${choices.map((source) => fillParts(source, { letter })).join('|')})`,
  'giu',
)
const standing = /(?<![\p{Script=Latin}\p{N}])[A-Z](?![\p{Script=Latin}\p{N}])/gu

/**
 * Returns the last words of a line that choose an option by its letter, such as `I would pick B` or `所以选B`; what follows them begins with
 * the letter in brackets. They announce less than `Answer: B` does.
 */
export function pickedLetter(
  line: string,
  options: readonly string[],
  isLast: boolean,
): Announcement | undefined {
  const text = line.slice(-longestLine)
  for (const match of [...text.matchAll(chosen)].reverse()) {
    const own = [...match[0].matchAll(standing)].at(-1)
    if (own === undefined || indexOfLetter(own[0], options) < 0) continue
    const at = match.index + own.index
    const [before, behind] = [text.slice(0, match.index), text.slice(at + 1)]
    const isArticle = /^[AI]$/.test(own[0]) && /^ \p{Ll}/u.test(behind) && !says.letterReason.test(behind)
    if (isArticle || says.supposed.test(before) || supposes.test(before)) continue
    const rest = `(${own[0]})${behind.replace(/^[)\]*_"”]{1,3}/, '')}`
    return {
      words: match[0],
      rest,
      start: line.length - text.length + match.index,
      rank: isLast ? 'loose' : 'weak',
    }
  }
  return undefined
}

/** Before the words: they are not meant so. */
const supposes =
  /(?:^|[.!?;]\s)(?:but )?(?:if|unless|had|were)\b[^.!?;]*$|\b(?:not|never|at first|initially|tempted to)\W*$/i
