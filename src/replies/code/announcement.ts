// What the prose before a block says of the block that follows. Only its last sentence announces the block.

const oneOf = (...words: string[]) => `(?:${words.join('|').replaceAll(' ', '\\s+')})`

const code = oneOf(
  'code',
  'version',
  'solution',
  'function',
  'implementation',
  'answer',
  'program',
  'script',
  'one',
)
const renewed = oneOf(
  'corrected',
  'correction',
  'fixed',
  'fix',
  'revised',
  'updated',
  'improved',
  'rewritten',
)
const good = oneOf('final', 'complete', 'full', 'correct', 'right', 'proper', 'working', 'better')
const bad = oneOf('wrong', 'incorrect', 'buggy', 'broken', 'bad', 'faulty')
const old = oneOf('your', 'original', 'given', 'old', 'previous', 'earlier', 'initial', 'first')
const trial = oneOf('draft', 'sketch', 'attempt', 'try', 'idea', 'pseudo-?code')
const fault = oneOf('wrong', 'incorrect', 'mistakes?', 'errors?', 'bugs?', 'pitfalls?')

const anyOf = (...forms: string[]) => new RegExp(forms.join('|'), 'i')

/** The block is the answer that replaces an earlier one. */
const newAnswer = anyOf(
  `\\b${renewed}\\b`,
  `\\b${good}(?:\\W+\\w+){0,2}?\\W+${code}\\b`,
  `^\\W*(?:after|final|correct|right|good|better|best)\\W*$`,
  `\\b(?:(?:second|third|final|new) (?:attempt|try)|attempt\\W+[2-9])\\b`,
  `^\\W*(?:version|v|${trial}|iteration|revision)\\W*[2-9]\\W*$`,
  `\\b(?:change|replace|rewrite)\\b.{0,80}\\b(?:to|with|as)\\W*$`,
  `\\b(?:it|this|that) should (?:be|read)\\W*$`,
)
/** The block is no answer: a mistake, an old version, a test. */
const noAnswer = anyOf(
  `\\b(?:do not|don['’]t|never|avoid|should not|shouldn['’]t)\\b`,
  `\\b(?:common|typical|frequent|classic|usual)\\s+${fault}`,
  `\\bfor (?:comparison|contrast|reference)\\b`,
  `\\b(?:with|has|contains) (?:the|a) (?:bug|mistake|error)\\b(?! (?:fixed|corrected))`,
  `\\b(?:mock|stub)\\b`,
  `^\\W*if\\b`,
)
/** The block is the code that was there before the answer. */
const oldCode = anyOf(
  `^\\W*(?:(?:(?:a|my|the|rough|quick|first|initial)\\s+)*${trial}|before|${bad}|old|original)\\W*$`,
  `\\b${bad}(?:\\W+\\w+)?\\W+${code}\\W*$`,
  `^\\W*(?:here is )?(?:the )?${old}(?:\\s+\\w+)?\\s+${code}\\b[^.]*:\\W*$`,
)
const alternative = anyOf(
  `\\b(?:alternative|alternatively|another|also|optional|instead of|or you)\\b`,
  `\\bmore (?:concise|efficient|general|readable|robust)\\b`,
)
/** The code before this prose is taken back. */
const withdrawal = anyOf(
  `\\b(?:wrong|incorrect|mistake|bug|oops|sorry|apologi[sz]e)\\b`,
  `^\\W*(?:wait|actually|hmm|no)\\b`,
  `\\b(?:do|does|did|is|was)(?: not|n['’]t) (?:work|pass|right|correct|quite)\\b`,
)
const regret = /\b(?:oops|sorry|apologi[sz]e)\b|^\W*(?:wait|actually|hmm)\b/i

/** Whether the prose before a block announces it as the answer in place of earlier code. */
export function announcesAnswer(before: string): boolean {
  const sentences = sentencesOf(before)
  const last = sentences.at(-1) ?? ''
  if (noAnswer.test(last) || alternative.test(before)) return false
  if (newAnswer.test(last)) return !oldCode.test(last) || regret.test(last)
  if (oldCode.test(last)) return false
  if (sentences.slice(0, -1).some((sentence) => withdrawal.test(sentence))) return true
  // A fault that is named with a colon may be what the block shows.
  return withdrawal.test(last) && (!/:\W*$/.test(last) || regret.test(last))
}

/** Whether the prose before a block says that it shows a mistake or code that is not the answer. */
export const showsOldCode = (before: string): boolean => {
  const last = sentencesOf(before).at(-1) ?? ''
  return oldCode.test(last) && !newAnswer.test(last)
}

function sentencesOf(prose: string): string[] {
  return prose.split(/(?<=[.!?])\s+|\n/).filter((sentence) => /\w/.test(sentence))
}
