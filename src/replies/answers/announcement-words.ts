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
const equals = '(?:equals|turns out to be|comes (?:out )?to)(?![\\p{L}\\p{N}])'
const insertion = `(?:,? ${adverbs},?|,\\s[^,:.\\n]{1,40},)?`
const casual = [
  `${answerWord}(?:${insertion}\\s{1,9}(?:${verb}|${equals})(?: ${adverbs}(?![\\p{L}]))?|\\s{0,9}=)`,
  `(?:${otherWords})(?:\\s(?:ist|lautet|es|est|é|è|är)(?![\\p{L}])|\\s?[是为為はは은는이])`,
].join('|')
const option = [
  '(?:correct|right|best|final|chosen|appropriate|suitable|accurate|likely|my) ',
  `(?:choice|option|letter|selection|statement|response)${marks}${question}(?:\\s{1,9}${verb}\\s{0,9}[:：]?|\\s?[:：])`,
].join('')

const dashed =
  '^[\\s>#*_]{0,20}(?:(?:the|my) )?(?:(?:final|correct|short) )?answer[*_]{0,3}\\s{1,3}[-–—]{1,2}(?=\\s)'

const answerMarker = `(?<dashed>${dashed})|${wordStart}(?:(?<explicit>${explicit})|(?<casual>${casual}))|(?<tag><(?:final[_ -]?)?answer>|\\[answer\\](?=.{0,200}\\[/answer\\]))`

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
    '\\b(?:if|whether|unless|suppose|supposing|assume|assuming|assumed|why|how|claims?|claimed|says?|said|hope|confidence|certainty',
    '|(?:might|may|could|would|people|many|some|others) (?:think|say|guess|believe|expect)|certain|sure|confident)',
    '(?: that)?(?: the| our| my| this| your)?(?: final| correct| right)? $|',
    '\\b(?:this|that|these|each|every|any|no|an|another|your|his|her|their|given|previous|earlier|wrong|incorrect|other|possible',
    '|naive|old|original|first|initial|trap|tempting|worst|alternative|distractor|(?:second|next|third)[- ]best|(?:least|less) \\w{1,20})',
    '(?: final| correct| right)? $',
  ].join(''),
  'i',
)
export const mentions =
  /\b(?:(?:double-?)?check(?:ing)?|verify(?:ing)?|explain(?:ing)?|explanation (?:of|for)|justify|about|wrong|incorrect|student(?:['’]?s)?|user(?:['’]?s)?|possible|ruled[- ]out|distractor|trap|(?:^|[.!?] )(?:time )?to(?: (?:get|find|obtain|reach|compute|calculate|derive|give))?|(?:confidence|certainty|totals?|points?|score|marks?|grade|rating|words|digits|letters|lines|steps?|sources?|references?|difficulty|length)\s(?:in|for|of|to))(?: the| our| my| this)?(?: final| correct| right)? $/i

/** Behind "the answer is": a remark about the answer. */
export const remark =
  /^(?:a |very |quite |also |both )?(?:not|clear|correct|right|wrong|incorrect|obvious|simple|straightforward|based|consistent|reasonable|plausible|helpful|useful|supported|confirmed|verified|derived|found|obtained|calculated|computed|determined|given|reached|as follows|unique|valid|below|above|in the|to be|that|what|because|since|known|unclear|expected|left|exact|complete|accurate|easy|good|fine)\b|^(?:is|was|are)n['’]t/i

/** Behind "the answer is": how sure or how good the answer is. */
export const quality = new RegExp(
  [
    '^(?:(?:about|over|almost|at least) )?\\d[\\d.,/]*\\s?(?:%|\\\\%|percent)?\\s(?:\\w+ly )?',
    '(?:certain|sure|confident|correct|right|accurate|wrong|incorrect|likely|complete|reliable|safe|(?:digits?|letters?|words?|lines?|characters?|steps?|pages?)\\s(?:long|short))\\b|',
    '^(?:in )?(?:steps?|lines?|pages?|sections?|parts?|paragraphs?) [(]?\\w{1,3}\\b',
  ].join(''),
  'i',
)

/** Behind "the answer is": the answer stands below. */
export const pointsBelow =
  /^(?:(?:(?:shown|given|stated|written|listed|found|presented|provided) )?(?:below|as follows)|the following)[*_]{0,3}\s?[.:：]?[*_]{0,3}\s{0,9}$|\b(?:is|are)\s?[:：][*_]{0,3}\s{0,9}$/i

/** In a sentence behind "the answer is": it says more than what the answer is. */
export const restricts =
  /[?]|\b(?:if|when|unless|with|without|before|after|for|of|times|in|only|not|than|more|less|most|least|certain|sure|confident|correct|right|wrong|incorrect|likely|probable|probably|plausible|long|short|at|under|assuming|as|but|or)\b|n['’]t\b/i

const opener =
  '(?:(?:and|so|but|therefore|thus|hence|then|wait|no|yes|ok|okay|actually|finally|now|overall|consequently|again|correction|in (?:conclusion|summary|total|the end)|as a result)[,:]?\\s{1,3}){0,4}'
const statement =
  "(?:(?:i|we) (?:now )?(?:get|find|see|conclude|have|believe|think)(?: that)?|(?:this|that|it|which) (?:means|gives|shows)(?: that)?|here(?: is|['’]s)|(?:this|that|it)(?: is|['’]s))?"
const kindOfAnswer =
  '(?:(?:the|my|our) )?(?:(?:final|correct|right|best|short|full|exact|numeric(?:al)?|single|new|corrected|revised|updated|actual|true|closest|appropriate|suitable|most (?:appropriate|suitable|fitting|likely|accurate|logical|plausible|reasonable)) ){0,3}'

/** Before a plain announcement: the begin of a sentence, and nothing that restricts it. */
export const plainBefore = new RegExp(
  `(?:^|[.!?:;)\\]}|"”*_—–])[\\s>#*_\`"'“($\\[{\\\\-]{0,20}(?:\\d{1,2}[.)]\\s)?(?:(?:text|math)(?:bf)?\\{)?${opener}${statement}\\s?${kindOfAnswer}["'“*_\`]{0,4}$`,
  'i',
)

/** Before a label with a colon, such as `answer is:`. */
export const labelled = new RegExp(`(?:^|[^\\p{L}\\s])\\s*$|\\b(?:the|my|our) ${kindOfAnswer}$`, 'iu')

/** Within an announcement: it answers only a part of the question. */
export const plainQuestion =
  /\s(?:to|for|of)\s(?!(?:the|this|your|our) (?:\w+ )?(?:question|problem|riddle|puzzle|task|exercise)\b)/i

/** The first line of another question, with which a model goes on after its answer. */
export const nextQuestion =
  /^[\s#>*_]{0,9}(?:question|q|problem|exercise|human|user)(?:\s?\d{1,3})?[*_]{0,3}\s?[:：]/i

/** Behind an announcement: it is withdrawn. */
export const withdrawn =
  /^[\s*_>#(]{0,9}(?:(?:oh|hmm+|wait|oops|sorry|but|no)[,.!…]{0,3}\s)?(?:(?:wait|oops)(?:,? (?:no|sorry|but|that|this|it)\b|[.!,;…]|\s{0,9}$)|no(?:,? (?:wait|sorry)\b|\s{0,9}$)|(?:that|this|it)(?: answer| result| value)?(?:['’]s| is| was| must be| can(?:['’]t|not) be)(?: clearly| obviously)? (?:wrong|incorrect|false|a mistake|not (?:right|correct)|right\?)|scratch that\b|correction\b|hold on\b|edit\b|on reflection\b|(?:my |a )?(?:mistake|bad)\b|(?:i|we) (?:was|were|am|are) (?:wrong|mistaken)\b|(?:i|we)(?: have|['’]ve)? (?:misread|misunderstood|miscounted|miscalculated|forgot|overlooked|missed|made an? (?:mistake|error)|erred|retract|(?:take|took) (?:that|this|it) back)\b|(?:that|this|it)(?:['’]s| is| was) off by\b|(?:that|this) (?:choice|answer|option) is mistaken\b|revis(?:ed|ion)\b|(?:that|this|it) should have been\b)/i

/** Behind an answer on its line: it is withdrawn. */
export const deniedBehind =
  /^[^.!;,\s]{1,30}(?:\s[^.!;,\s]{1,20})?\s?(?:\?\s{1,3}(?:no|nope|not)\b|\s(?:is|was) (?:wrong|incorrect|not (?:right|correct))\b)/i

/** Behind an announcement: the thoughts that lead to the answer begin, so it is still to come. */
export const reasoning =
  /^[*_]{0,2}(?:let['’]?s\b|let (?:us|me)\b|we (?:need|refer|can|have to|know|are given|will|must)\b|to (?:find|solve|determine|answer|calculate|compute)\b|first,|step (?:1|one)\b)/i

/** The begin of what is no answer though it stands where one may stand: a heading or the first words of a solution. */
export const notAnswer =
  /^(?:explanation|reason(?:ing|s)?|rationale|analysis|solution|justification|approach|calculation|breakdown|summary|conclusion|given|step|part|question|case|problem|example|exercise|options|the following|here|below|see)\b/i

/** Before `the answer would be`: its sentence begins with a condition. */
export const condition = /(?:^|[.;!?]\s{1,3})(?:but |otherwise,? )?if\b[^.;!?]{0,200}$/i

/** The end of a remark: it comes to another answer, which it says last. */
export const comesTo =
  /(?:\b(?:it|this|that|answer|value|result)(?:['’]s| is)|\b(?:must|should|ought to)(?: have)? be(?:en)?|\bmaking (?:it|this|that)|\b(?:hence|thus|so|therefore|revised)\b[^.;]{0,40}[,:])\s[([$€£]{0,2}([A-Z](?![\p{L}\p{N}])|-?\d[\d,.]{0,15})[)\]%]?[\s.!*_]*$/iu
