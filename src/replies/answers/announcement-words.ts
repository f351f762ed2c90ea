// The words that announce an answer. All repetitions are bounded, so that a line of a megabyte is read in linear time.

const adverbs =
  '(?:therefore|thus|then|hence|simply|indeed|clearly|just|still|actually|now|most likely|likely|probably|definitely)'
const verb = `(?:is|was|(?:would|should|must|will|has to|can only) (?:${adverbs} )?be)(?![\\p{L}\\p{N}])`
const marks = '["\'’”*_`)}\\]]{0,6}'
const aside = '(?:\\s?\\([^()\\n]{1,40}\\))?'
const question = '(?:\\s(?:to|for|of)\\s[^:.\\n]{1,80}?)?'
const wordStart = '(?<![\\p{L}\\p{N}])'
const answerWord = `answer(?:\\s(?:choice|option|letter))?${marks}${aside}${question}`

/** The word "answer" in other languages. */
const otherWords = [
  'antwort|respuesta|réponse|resposta|risposta|antwoord|odpowiedź|odpověď|svar|vastaus|cevap|yanıt|válasz|răspuns',
  'jawaban|đáp án|trả lời|ответ|відповідь|одговор|отговор|απάντηση|תשובה|الإجابة|الجواب|उत्तर|คำตอบ',
  '答案|答え|回答|解答|答|정답|답',
].join('|')

const explicit = [
  `${answerWord}\\s{0,9}(?:${verb}\\s{0,9}["“*_\`]{0,4})?[:：]`,
  `ans[*_]{0,3}\\s?[:：]`,
  `(?:${otherWords})${marks}\\s{0,3}[:：]`,
].join('|')
const casual = `${answerWord}(?:(?:,? ${adverbs},?)?\\s{1,9}${verb}(?: ${adverbs}(?![\\p{L}]))?|\\s{0,9}=)`
const option = [
  '(?:correct|right|best|final|chosen|appropriate|suitable|accurate|likely|my) ',
  `(?:choice|option|letter|selection|statement|response)${marks}${question}(?:\\s{1,9}${verb}\\s{0,9}[:：]?|\\s?[:：])`,
].join('')

const dashed =
  '^[\\s>#*_]{0,20}(?:(?:the|my) )?(?:(?:final|correct|short) )?answer[*_]{0,3}\\s{1,3}[-–—]{1,2}(?=\\s)'

const answerMarker = `(?<dashed>${dashed})|${wordStart}(?:(?<explicit>${explicit})|(?<casual>${casual}))|(?<tag><(?:final[_ -]?)?answer>)`

/**
 * What announces an answer: `Answer:` (group `explicit`), `Answer -` (`dashed`), `the answer is` (`casual`), `<answer>` (`tag`) and,
 * where options are to choose from, `the correct choice is` (`option`).
 */
export const announcement = new RegExp(answerMarker, 'giu')
export const optionAnnouncement = new RegExp(`${answerMarker}|${wordStart}(?<option>${option})`, 'giu')

/** Whether a line can hold an announcement. It keeps most lines from the slower expressions. */
export const canAnnounce = new RegExp(
  `answer|ans[*_: ：]|choice|option|letter|selection|statement|response|${otherWords}`,
  'iu',
)

/** A line that is only the heading of an answer, such as `## Final Answer`. */
export const answerHeading =
  /^[\s#>*_-]{0,20}(?:\d{1,2}[.)]\s)?(?:(?:my|the) )?(?:(?:final|correct|short) )?answer[\s#*_.]{0,20}$/i

/** Before an announcement: it is not made, but supposed, denied or talked about. */
export const supposes = new RegExp(
  [
    '\\b(?:if|whether|unless|suppose|supposing|assume|assuming|assumed|why|how|claims?|claimed|says|said|hope)',
    '(?: that)?(?: the| our| my| this| your)?(?: final| correct| right)? $|',
    '\\b(?:this|that|these|each|every|any|no|an|another|your|his|her|their|given|previous|earlier|wrong|incorrect|other|possible)',
    '(?: final| correct| right)? $',
  ].join(''),
  'i',
)
export const mentions =
  /\b(?:(?:double-?)?check(?:ing)?|verify(?:ing)?|explain(?:ing)?|explanation (?:of|for)|justify|about|wrong|incorrect|student'?s|user'?s|possible)(?: the| our| my| this)?(?: final| correct| right)? $/i

/** Behind "the answer is": a remark about the answer. */
export const remark =
  /^(?:a |very |quite |also |both )?(?:not|clear|correct|right|wrong|incorrect|obvious|simple|straightforward|based|consistent|reasonable|plausible|helpful|useful|supported|confirmed|verified|derived|found|obtained|calculated|computed|determined|given|reached|as follows|unique|valid|below|above|in the|to be|that|what|because|since|known|unclear|expected|left|exact|complete|accurate|easy|good|fine)\b|^(?:is|was|are)n['’]t/i

/** Behind an announcement: the thoughts that lead to the answer begin, so it is still to come. */
export const reasoning =
  /^[*_]{0,2}(?:let['’]?s\b|let (?:us|me)\b|we (?:need|refer|can|have to|know|are given|will|must)\b|to (?:find|solve|determine|answer|calculate|compute)\b|first,|step (?:1|one)\b)/i

/** The begin of what is no answer though it stands where one may stand: a heading or the first words of a solution. */
export const notAnswer =
  /^(?:explanation|reason(?:ing|s)?|rationale|analysis|solution|justification|approach|calculation|breakdown|summary|conclusion|given|step|part|question|case|problem|example|exercise|options|the following|here|below|see)\b/i

/** Before `the answer would be`: its sentence begins with a condition. */
export const condition = /(?:^|[.;!?]\s{1,3})(?:but |otherwise,? )?if\b[^.;!?]{0,200}$/i
