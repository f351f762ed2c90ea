import { expect, it } from 'vitest'
import { parseSource, sourceText } from '../../src/suites/select.ts'
import { UserError } from '../../src/text/errors.ts'

const letters = [...'abcdefghij']
const chosen = (text: string) => {
  const { range } = parseSource(text)
  return range ? letters.slice(range.from, range.to + 1).join('') : undefined
}

it('parseSource splits NAME:PATH', () => {
  expect(parseSource('humaneval:data/HumanEval.jsonl')).toEqual({
    name: 'humaneval',
    path: 'data/HumanEval.jsonl',
    parameters: {},
  })
  expect(parseSource('native:C:\\tasks')).toMatchObject({ name: 'native', path: 'C:\\tasks' })
  expect(parseSource('native:a:b')).toMatchObject({ name: 'native', path: 'a:b' })
})

it('parseSource reads a number as the first tasks, and a range as inclusive from 0', () => {
  expect(parseSource('humaneval:p:3').range).toEqual({ text: '3', from: 0, to: 2 })
  expect(chosen('x:p:3')).toBe('abc')
  expect(chosen('x:p:2-4')).toBe('cde')
  expect(chosen('x:p:9-9')).toBe('j')
  expect(chosen('x:p:8-20')).toBe('ij')
})

it.each(['humaneval', 'humaneval:', ':path', '', 'x:p:0', 'x:p:5-4', 'x::3'])(
  'parseSource refuses %j',
  (text) => {
    expect(() => parseSource(text)).toThrow(UserError)
  },
)

it('parseSource reads parameters, whose text sourceText writes back', () => {
  const source = parseSource('jsonl:a/b.jsonl?question=q&answer=x%26y%2Cz:10-19')
  expect(source).toMatchObject({ path: 'a/b.jsonl', parameters: { question: 'q', answer: 'x&y,z' } })
  expect(source.range).toMatchObject({ from: 10, to: 19 })
  expect(sourceText(source)).toBe('jsonl:a/b.jsonl?question=q&answer=x%26y%2Cz:10-19')
  expect(parseSource('csv:a?share=100%').parameters).toEqual({ share: '100%' })
  expect(() => parseSource('csv:a?question')).toThrow(/"question" is not a parameter with a value/)
})
