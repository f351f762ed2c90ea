import { expect, it } from 'vitest'
import { checkRequest } from '../../../src/commands/mcp/run-request.ts'

it.each([
  'external',
  'external[command=python3 -c code]',
  'a=external[command=env]',
  'baseline,external[command=env]',
])('a client starts no program of its own by %s', (methods) => {
  const request = { name: 'a', tasks: 'answers', methods, agents: 'openai-compatible:m' }
  expect(() => checkRequest(request as never, true)).toThrow(
    /external starts a program\. A person starts it: bench run\./,
  )
})
