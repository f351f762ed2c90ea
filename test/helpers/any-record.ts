import fc from 'fast-check'
import { TrialRecord } from '../../src/schema/record.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'A', '"quoted"', 'é 😀', '\\', '\u0000\n'),
)
const amount = fc.oneof(fc.nat(), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }))
const count = fc.integer({ min: 1 })
const hash = fc.stringMatching(/^[0-9a-f]{64}$/)
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const some = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { maxLength: 3 })
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const workflow = fc.record({
  workflow: text,
  iterations: fc.nat(),
  stages: some(fc.jsonValue({ maxDepth: 2 })),
})

/** No reader takes this name from a file: it would be the object's prototype. */
const role = text.filter((name) => name !== '__proto__')

/** Any record that a trial of this id may leave, its keys in the order in which they are written. */
export function anyRecord(trial: fc.Arbitrary<string>): fc.Arbitrary<TrialRecord> {
  return fc
    .record({
      schemaVersion: fc.constant(1 as const),
      trial,
      task: text,
      suite: text,
      method: text,
      agents: fc.oneof(text, fc.dictionary(role, text, { maxKeys: 3 })),
      agentSet: maybe(text),
      epoch: count,
      mode: fc.constantFrom('dev' as const, 'live' as const),
      simulated: fc.boolean(),
      profile: orNull(text),
      outcome: fc.record({
        status: fc.constantFrom(...TrialRecord.shape.outcome.shape.status.options),
        reason: text,
      }),
      claimed: orNull(text),
      detail: maybe(text),
      passed: orNull(fc.boolean()),
      score: orNull(fc.double({ noNaN: true, noDefaultInfinity: true })),
      scores: some(
        fc.record({
          name: text,
          value: fc.double({ min: 0, max: 1, noNaN: true }),
          reason: text,
          tests: maybe(fc.record({ passed: fc.nat(), total: fc.nat() })),
        }),
      ),
      answer: maybe(text),
      delivered: orNull(hash),
      spent: fc.record({
        input: amount,
        output: amount,
        cached: amount,
        costUsd: orNull(amount),
        calls: fc.nat(),
        checks: fc.nat(),
        unreportedTokens: fc.nat(),
        unreportedCost: fc.nat(),
        listCostUsd: maybe(orNull(amount)),
        unknownListCost: maybe(fc.nat()),
        reported: maybe(fc.record({ calls: fc.nat(), costUsd: amount, computedUsd: amount })),
      }),
      retries: maybe(count),
      waitMs: maybe(count),
      faults: maybe(text),
      gradingCostUsd: orNull(amount),
      iterations: fc.integer(),
      durationMs: amount,
      overshoot: maybe(fc.dictionary(text, amount, { maxKeys: 3 })),
      state: maybe(
        fc.oneof(
          fc.dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 }),
          fc.record({ collaboration: workflow }),
        ),
      ),
      interventions: maybe(count),
      history: maybe(
        some(
          fc.record({
            role: text,
            agent: text,
            branch: text,
            at: amount,
            durationMs: amount,
            tokens: orNull(amount),
            iteration: fc.dictionary(text, fc.oneof(fc.nat(), text), { maxKeys: 2 }),
            summary: text,
          }),
        ),
      ),
      candidates: maybe(
        some(
          fc.record({
            key: text,
            role: text,
            at: amount,
            from: maybe(text),
            delivered: orNull(hash),
            passed: orNull(fc.boolean()),
            score: orNull(amount),
          }),
        ),
      ),
      deliveredFrom: maybe(text),
      matched: maybe(
        fc.record({
          method: text,
          unit: fc.constantFrom('tokens' as const, 'dollars' as const, 'calls' as const),
          spent: amount,
          baseline: amount,
          attempts: count,
        }),
      ),
      fidelity: maybe(
        fc.record({
          status: fc.constantFrom(...TrialRecord.shape.fidelity.unwrap().shape.status.options),
          at: maybe(text),
        }),
      ),
      ownJudge: maybe(text),
      sandbox: maybe(fc.constantFrom(...TrialRecord.shape.sandbox.unwrap().options)),
      wall: fc.record({ startedAt: text, ms: amount }),
    })
    .map((record) => JSON.parse(JSON.stringify(record)))
}
