import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ledgerText } from '../../src/loop/ledger-text.ts'
import { dollarsText } from '../../src/loop/line-text.ts'
import { openRecordText } from '../../src/loop/record-text.ts'
import { TrialRecord } from '../../src/schema/record.ts'
import { AskStep, GradeStep, type LedgerLine } from '../../src/schema/step.ts'
import { anyRecord } from '../helpers/any-record.ts'

const id = fc.stringMatching(/^[0-9a-f]{24}$/)
const hash = fc.stringMatching(/^[0-9a-f]{64}$/)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '#0', '"quoted"', 'é 😀', '\\', '\u0000\n', '\ud800'),
)
const billionths = fc.integer({ min: 0, max: 2 ** 31 }).map((count) => count / 1e9)
const amount = fc.oneof(fc.nat(), billionths, fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }))
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const truly = fc.constant(true as const)
const iteration = fc.dictionary(text, fc.oneof(fc.nat(), text), { maxKeys: 2 })
const level = fc.constantFrom(...TrialRecord.shape.sandbox.unwrap().options)

const ask = {
  trial: id,
  key: text,
  attempt: fc.integer({ min: 1 }),
  kind: fc.constant('ask' as const),
  payer: fc.constantFrom(...AskStep.shape.payer.options),
  hash,
  at: amount,
  durationMs: amount,
  iteration: maybe(iteration),
  role: text,
  work: fc.constantFrom(...AskStep.shape.work.options),
  purpose: maybe(fc.constant('vote' as const)),
  agent: text,
  simulated: fc.boolean(),
  prompt: text,
  system: maybe(text),
  session: maybe(text),
  reply: maybe(text),
  replyHash: maybe(hash),
  changeSet: maybe(
    fc.record({
      source: fc.constant('reply' as const),
      changes: fc.array(fc.record({ path: text, mode: text, before: orNull(hash), after: orNull(hash) }), {
        maxLength: 1,
      }),
    }),
  ),
  tokens: fc.record({
    ...{ input: orNull(amount), output: orNull(amount), cached: orNull(amount) },
    ...{ cacheWrite: maybe(amount), cacheWriteHour: maybe(amount), reasoning: maybe(amount) },
  }),
  costUsd: orNull(amount),
  listCostUsd: maybe(amount),
  costSource: maybe(fc.constantFrom(...AskStep.shape.costSource.unwrap().options)),
  usage: maybe(fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })),
  model: maybe(text),
  reportedCostUsd: maybe(amount),
  continued: maybe(fc.constantFrom(...AskStep.shape.continued.unwrap().options)),
  waitMs: amount,
  error: maybe(fc.record({ reason: text, message: text, retryAfterMs: maybe(amount) })),
  fault: maybe(fc.constantFrom(...AskStep.shape.fault.unwrap().options)),
  repair: maybe(truly),
  retry: maybe(truly),
  sandbox: maybe(level),
  maybePaid: maybe(truly),
}

const grade = {
  trial: id,
  key: text,
  attempt: fc.integer({ min: 1 }),
  kind: fc.constant('grade' as const),
  payer: fc.constantFrom(...GradeStep.shape.payer.options),
  simulated: maybe(fc.boolean()),
  hash,
  at: amount,
  durationMs: amount,
  iteration: maybe(iteration),
  of: maybe(text),
  scores: fc.array(
    fc.record({
      name: text,
      value: fc.double({ min: 0, max: 1, noNaN: true }),
      reason: text,
      tests: maybe(fc.record({ passed: fc.nat(), total: fc.nat() })),
    }),
    { maxLength: 3 },
  ),
  passed: orNull(fc.boolean()),
  sandbox: maybe(level),
}

const names = (fields: object) => Object.keys(fields).sort()

it('writes asks and grades with the very text of JSON.stringify, whatever was written before them', () => {
  expect(names(ask)).toEqual(names(AskStep.shape))
  expect(names(grade)).toEqual(names(GradeStep.shape))
  const line = fc.oneof(fc.record(ask), fc.record(grade)) as fc.Arbitrary<LedgerLine>
  fc.assert(
    fc.property(line, line, (one, other) => {
      // The second time, what stood in the line before is taken over.
      for (const each of [one, other, other, one]) expect(ledgerText(each)).toBe(JSON.stringify(each))
    }),
    { numRuns: 200 },
  )
})

it('takes over nothing of a line before that differs in one field', () => {
  const oneOf = (fields: typeof ask | typeof grade) =>
    fc.tuple(fc.record(fields as typeof ask), fc.record(fields as typeof ask))
  fc.assert(
    fc.property(fc.oneof(oneOf(ask), oneOf(grade)), ([base, next]) => {
      for (const changed of changedInOneField(base, next))
        for (const step of [base, changed, base]) expect(ledgerText(step)).toBe(JSON.stringify(step))
    }),
    { numRuns: 60 },
  )
})

/** What lines are put together from in parts of their own. */
const parts = new Set(['tokens', 'spent', 'scores', '0'])

/** The first thing, with each of its fields, or of those of its parts, as in the other. */
function changedInOneField<Thing extends object>(base: Thing, next: Thing): Thing[] {
  return (Object.keys(base) as (keyof Thing & string)[]).flatMap((field) => {
    const [own, other] = [base[field], next[field]]
    const inside = parts.has(field) && own && other ? changedInOneField<object>(own, other) : []
    return [other, ...inside].map((value) => {
      const copy = (Array.isArray(base) ? [...base] : { ...base }) as Thing
      return Object.assign(copy, { [field]: value })
    })
  })
}

it('writes records as JSON.stringify does, the mark of their trial last', () => {
  const sum = fc.oneof(fc.integer({ min: 0, max: 0xffff_ffff }), fc.integer({ min: 0, max: 0xfff_ffff }))
  fc.assert(
    fc.property(anyRecord(id), anyRecord(id), fc.nat(), sum, (one, other, steps, sum) => {
      for (const each of [one, other, other, one]) {
        const record = { ...each, wall: { startedAt: '2026-01-01T00:00:00.000Z', ms: each.wall.ms } }
        const whole = { ...record, wall: { ...record.wall, steps, stepsSum: sum.toString(16) } }
        expect(`${openRecordText(record, { lines: steps, sum })}}}`).toBe(JSON.stringify(whole))
      }
    }),
    { numRuns: 200 },
  )
})

it('takes over nothing of a record before that differs in one field', () => {
  const mark = { lines: 2, sum: crc32('x') }
  const wall = { startedAt: '2026-01-01T00:00:00.000Z', ms: 1 }
  fc.assert(
    fc.property(anyRecord(id), anyRecord(id), (base, next) => {
      for (const changed of changedInOneField(base, next)) {
        for (const one of [base, changed, base]) {
          const record = JSON.parse(JSON.stringify({ ...one, wall }))
          const marked = { ...wall, steps: 2, stepsSum: mark.sum.toString(16) }
          expect(JSON.parse(`${openRecordText(record, mark)}}}`)).toEqual({ ...record, wall: marked })
        }
      }
    }),
    { numRuns: 15 },
  )
})

it('writes dollars as JSON does, from a billionth up to millions and one bit beside it', () => {
  const near = [
    0,
    1e-9,
    9.99e-7,
    1e-6,
    1.001e-6,
    0.1,
    0.999999999,
    1,
    1.5,
    0.1 + 0.2,
    Number.MIN_VALUE,
    1e21,
    null,
  ]
  for (const usd of near) expect(dollarsText(usd)).toBe(JSON.stringify(usd))
  const beside = fc.tuple(billionths, fc.constantFrom(1 - Number.EPSILON, 1, 1 + Number.EPSILON))
  const written = fc.property(beside, ([usd, factor]) => {
    expect(dollarsText(usd * factor)).toBe(JSON.stringify(usd * factor))
  })
  fc.assert(written, { numRuns: 20_000 })
})
