import { expect, it } from 'vitest'
import { readReturned } from '../../src/graders/module.ts'

it.each([
  ['0.25', { value: 0.25, reason: 'the score is 0.25' }],
  ['true', { value: 1, reason: 'the score is 1' }],
  ['false', { value: 0, reason: 'the score is 0' }],
  ['{"score":true,"reason":"good"}', { value: 1, reason: 'good' }],
  ['{"score":0.5,"reason":" ","more":[1]}', { value: 0.5, reason: 'the score is 0.5' }],
])('reads %s as a score', (json, read) => expect(readReturned(json)).toEqual(read))

it.each([
  'null',
  '"1"',
  '[1]',
  '{}',
  '{"score":null}',
  '{"score":"NaN"}',
  '{"score":1,"reason":2}',
  '{"score":1',
  '',
])('finds no score in %s', (json) =>
  expect(readReturned(json)).toEqual({ problem: expect.stringContaining('is no score') }),
)

it.each(['2', '-0.01', '{"score":100}'])('refuses %s, which is not from 0 to 1', (json) =>
  expect(readReturned(json)).toEqual({ problem: expect.stringContaining('not from 0 to 1') }),
)
