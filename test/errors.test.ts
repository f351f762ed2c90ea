import { expect, it } from 'vitest'
import { AgentError } from '../src/errors.ts'

it('takes no stack down for an ask that failed, and leaves those of other errors as deep as they were', () => {
  const depth = Error.stackTraceLimit
  const failed = new AgentError('timeout', 'no reply in 5 ms')
  expect(failed.stack).not.toContain('\n    at ')
  expect(failed).toMatchObject({ name: 'AgentError', reason: 'timeout', message: 'no reply in 5 ms' })
  expect(Error.stackTraceLimit).toBe(depth)
  expect(new Error('another').stack).toContain('\n    at ')
})
