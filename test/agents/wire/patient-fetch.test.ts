import { expect, it } from 'vitest'
import { timeLimits } from '../../../src/agents/wire/patient-fetch.ts'

it('a connection has no time limit of its own, for headers or between two pieces of a body', () => {
  expect(timeLimits).toEqual({ headersTimeout: 0, bodyTimeout: 0 })
})
