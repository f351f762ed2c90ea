import { stripMarkup } from './markup.ts'

const remarkStart = new RegExp(
  [
    '^[([]?(?:my )?(?:confidence|certainty|probability|note|explanation|reason|reasoning|rationale|justification|verification|check|source)',
    '(?: level| score)?[*_]{0,3}\\s?[:：]|^[([]?(?:my )?(?:confidence|certainty)\\b[^:：]{0,60}[:：]|',
    '^[([](?:my )?(?:confidence|certainty|note|because|since|rounded|about \\d+ ?%|\\d+ ?% (?:sure|certain|confident|confidence))\\b|',
    "^(?:(?:this|that) (?:is|follows|holds) (?:because|since|as)|because|i hope|i['’]m|i am|i have \\d+ ?%|let me know|feel free|please let me know)\\b",
  ].join(''),
  'i',
)

/** Whether a line only adds something to an answer: `(Confidence: 90%)`, `This is because …`, `I hope this helps!`. */
export const isRemarkLine = (line: string): boolean => remarkStart.test(stripMarkup(line.slice(0, 200)))
