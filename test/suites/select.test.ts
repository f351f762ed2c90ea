import { expect, it } from 'vitest'
import { parseSource, slice } from '../../src/suites/select.ts'
import { UserError } from '../../src/text/errors.ts'

const letters = [...'abcdefghij']
const chosen = (text: string) => {
  const { range } = parseSource(text)
  return range ? slice(letters, range).join('') : undefined
}

it('parseSource splits NAME:PATH', () => {
  expect(parseSource('humaneval:data/HumanEval.jsonl')).toEqual({
    name: 'humaneval',
    path: 'data/HumanEval.jsonl',
  })
  expect(parseSource('native:C:\\tasks')).toEqual({ name: 'native', path: 'C:\\tasks' })
  expect(parseSource('native:a:b')).toEqual({ name: 'native', path: 'a:b' })
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
