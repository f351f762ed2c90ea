import { expect, it } from 'vitest'
import { callResult, mostResultCharacters, resultText } from '../../../src/agent-tools/mcp/call-result.ts'

const text = (value: unknown) => ({ type: 'text', text: value })

it.each([
  ['texts', { content: [text('a'), text('b')] }, 'a\nb'],
  ['nothing', {}, '[The tool gave no content.]'],
  ['empty text', { content: [text('')] }, '[The tool gave no content.]'],
  ['structured content alone', { structuredContent: { a: [1] } }, '{"a":[1]}'],
  [
    'structured content beside its text',
    { content: [text('{"a":1}')], structuredContent: { a: 1 } },
    '{"a":1}',
  ],
  [
    'structured content beside an image',
    { content: [{ type: 'image', mimeType: 'image/png', data: '' }], structuredContent: 1 },
    '[image, image/png, 0 bytes: not shown]\n1',
  ],
  ['a type of a later protocol', { content: [{ type: 'video' }] }, '[content of the type video: not shown]'],
  ['a text that is no text', { content: [text(5)] }, '[content of the type text: not shown]'],
])('a result with %s is a text', (_, result, expected) => {
  expect(resultText(result)).toBe(expected)
})

it('a long text is cut at a whole character, and says so', () => {
  const cut = resultText({ content: [text('a'.repeat(mostResultCharacters - 1) + '😀'.repeat(10))] })
  expect(cut).toBe(
    `${'a'.repeat(mostResultCharacters - 1)}\n[Cut: the result has ${mostResultCharacters + 19} characters. These are the first ${mostResultCharacters}.]`,
  )
  const whole = 'a'.repeat(mostResultCharacters)
  expect(resultText({ content: [text(whole)] })).toBe(whole)
})

it('half of a surrogate pair, which no file can hold, is replaced', () => {
  expect(resultText({ content: [text('a\ud800')] })).toBe('a\ufffd')
})

it('an error of the tool is `failed`, and the long text of a refusal is cut', () => {
  const names = { name: 'id__a', maxBytes: 1000 }
  expect(callResult({ kind: 'answer', result: { isError: true, content: [text('no')] } }, names)).toEqual({
    outcome: 'failed',
    text: 'no',
  })
  const refused = callResult({ kind: 'refused', code: 1, message: 'x'.repeat(100_000) }, names)
  expect(refused.text.length).toBeLessThan(mostResultCharacters + 200)
})
