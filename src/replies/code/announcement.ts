// What the prose before a block says of the block that follows. Only its last sentence announces the block.

const code = '(?:code|version|solution|function|implementation|answer|program|script)'
const good = '(?:final|complete|full|correct|right|working|better)'

const anyOf = (...forms: string[]) => new RegExp(forms.join('|'), 'i')

/** The block is the answer that replaces an earlier one. */
const newAnswer = anyOf(
  '\\b(?:correct(?:ed|ion)|fix(?:ed)?|revised|updated|improved|rewritten)\\b',
  `\\b${good}(?:\\W+\\w+){0,2}?\\W+${code}\\b`,
  '^\\W*(?:after|final|correct|right|good|better|best)\\W*$',
  '^\\W*(?:version|attempt|draft|iteration|revision)\\W*[2-9]\\W*$',
  '\\b(?:change|replace|rewrite)\\b.{0,80}\\b(?:to|with|as)\\W*$',
)
/** The block is the code that was there before the answer. */
const oldCode = anyOf(
  '^\\W*(?:(?:a|my|the|rough|quick|first|initial)\\s+)*(?:draft|sketch|attempt|pseudo-?code|before|wrong|incorrect|old|original)\\W*$',
  `^\\W*(?:here is )?(?:the )?(?:your|original|given|old|previous|first)(?:\\s+\\w+)?\\s+${code}\\b[^.]*:\\W*$`,
)
const alternative =
  /\b(?:alternative|alternatively|another|also|optional|instead of|or you)\b|\bmore (?:concise|efficient|general|readable|robust)\b/i
/** The code before this prose is taken back. */
const withdrawal =
  /\b(?:wrong|incorrect|mistake|bug|oops|sorry|apologi[sz]e)\b|^\W*(?:wait|actually|hmm|no)\b|\bdoes(?: not|n['’]t) work\b/i
const regret = /\b(?:oops|sorry|apologi[sz]e)\b|^\W*(?:wait|actually|hmm)\b/i
const advice = /\b(?:do not|don['’]t|never|avoid)\b/i

/** Whether the prose before a block announces it as the answer in place of earlier code. */
export function announcesAnswer(before: string): boolean {
  const sentences = sentencesOf(before)
  const last = sentences.at(-1) ?? ''
  if (advice.test(last) || alternative.test(before)) return false
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
