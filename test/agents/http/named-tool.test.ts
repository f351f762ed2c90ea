import { expect, it } from 'vitest'
import { withToolName } from '../../../src/agents/http/ask-once.ts'

const definitions = ['read', 'docs__find'].map((name) => ({ name, description: '', inputSchema: {} }))

it.each([
  ['400: tools.1.custom.input_schema: JSON schema is invalid', ' (the tool docs__find)'],
  ['400: Invalid value at tools[0].function.parameters', ' (the tool read)'],
  ['400: tools[0].function_declarations[1].parameters.properties: missing field', ' (the tool docs__find)'],
  ["400: Invalid schema for function 'docs__find' in tools[1]", ''],
  ['400: tools.7.custom', ''],
  ['400: messages.1.content', ''],
])('a vendor’s message that counts the tools gets the name: %s', (message, added) => {
  expect(withToolName(message, { definitions })).toBe(`${message}${added}`)
})
