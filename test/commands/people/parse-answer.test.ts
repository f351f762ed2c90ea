import { describe, expect, it } from 'vitest'
import { answerProblem, parseAnswer } from '../../../src/commands/people/questions.ts'

describe('an answer of a person', () => {
  it.each(['yes', ' YES\n', 'Yes'])('%j approves', (text) => {
    expect(parseAnswer(text)).toEqual({ decision: 'approved', feedback: '' })
  })

  it.each(['abort', ' Abort '])('%j aborts', (text) => {
    expect(parseAnswer(text)).toEqual({ decision: 'abort', feedback: '' })
  })

  it.each([
    ...[
      'y',
      'Y',
      'no',
      'No',
      'n',
      'N',
      'ok',
      'OK',
      'okay',
      'Okay.',
      'yes!',
      '"yes"',
      'yes, ok',
      'yep',
      'nope',
    ],
    ...['fine', 'approved', 'LGTM', 'stop', 'not good', '👍', '?', '...'],
  ])('%j alone is no answer', (text) => {
    expect(parseAnswer(text)).toBeUndefined()
    expect(answerProblem(text)).toBe(`"${text}" alone is unclear`)
  })

  it.each([
    ...[
      'Shorter.',
      'No, shorten the ending.',
      'ok, but name the source',
      'yes\nabort\nmaybe',
      'y = 2x',
      '42',
    ],
    ...['Keine Zahlen.', '短く'],
  ])('%j is feedback', (text) => {
    expect(parseAnswer(text)).toEqual({ decision: 'feedback', feedback: text })
  })
})
