import { describe, expect, it } from 'vitest'
import { read } from '../../../src/formats/convert.ts'
import { readHandOff } from '../../../src/workflows/team.ts'

const plain = '{"plan": {"step": "sort"}}'
const tree = read(plain, 'json')

describe('a hand-off in JSON', () => {
  it.each([
    ['alone', plain],
    ['in a fence', `Here:\n\`\`\`json\n${plain}\n\`\`\``],
    ['with a comma at its end', '{"plan": {"step": "sort",},}'],
    ['with keys without quotes', '{plan: {step: "sort"}}'],
    ['beside braces in prose', `For {x, y} it is ${plain}, not {z}.`],
    ['with a comment', `{"plan": {"step": "sort" // first\n}}`],
  ])('is read %s', (_, text) => {
    expect(readHandOff(read, text, 'json')).toEqual(tree)
  })

  it.each(['{"plan": {"step": "so', 'I have no plan.', ''])(
    'is not read where a person reads none: %j',
    (text) => {
      expect(readHandOff(read, text, 'json')).toHaveProperty('problem')
    },
  )
})

it('other formats are read as before', () => {
  expect(readHandOff(read, '<plan>', 'xml')).toEqual(read('<plan>', 'xml'))
  expect(readHandOff(read, '{"plan": 1,}', 'xml')).toHaveProperty('problem')
})
