import { describe, expect, it } from 'vitest'
import { dollarMark, evidence, evidenceOf, kinds } from '../../src/analysis/evidence.ts'
import { createMixGuard } from '../../src/analysis/rows.ts'
import { aRecord } from './records.ts'

describe('the table of evidence', () => {
  it.each(['run', 'test', 'history', 'gate'] as const)(
    'lets two kinds share a %s both ways or not at all',
    (use) => {
      for (const one of kinds)
        for (const other of kinds)
          expect(evidence[one].beside[use].includes(other), `${one}, ${other}`).toBe(
            evidence[other].beside[use].includes(one),
          )
    },
  )

  it('lets simulated rows stand beside no others, in no test and no gate', () => {
    expect(evidence.simulated.beside).toEqual({
      run: ['simulated'],
      test: [],
      history: ['simulated'],
      gate: [],
    })
    for (const kind of kinds) expect(evidence[kind].beside.run).toContain(kind)
  })

  it('gives each kind a name and words that no other kind has', () => {
    const words = kinds.flatMap((kind) => evidence[kind].words)
    expect(new Set(words).size).toBe(words.length)
    expect(new Set(kinds.map((kind) => evidence[kind].name)).size).toBe(kinds.length)
    expect(kinds.filter((kind) => evidence[kind].mark === '')).toEqual(['live'])
  })

  it('marks the dollars of dev mode and of recorded replies, since live mode may have paid agents beside simulated ones', () => {
    expect(dollarMark({ mode: 'dev', simulated: true })).toBe(' (simulated)')
    expect(dollarMark({ mode: 'live', simulated: false, recorded: {} })).toBe(' (recorded)')
    expect(dollarMark({ mode: 'live', simulated: true })).toBe('')
    expect(dollarMark({ mode: 'dev', simulated: false })).toBe('')
  })
})

const [simulated, recorded, live] = [
  { simulated: true },
  { simulated: false, recorded: true as const },
  { simulated: false },
]

it.each([
  ['simulated and live', simulated, live],
  ['simulated and live', live, simulated],
  ['simulated and recorded', recorded, simulated],
  ['recorded and live', recorded, live],
  ['recorded and live', live, recorded],
])('the guard names both kinds, whichever comes first (%s)', (both, first, second) => {
  const guard = createMixGuard()
  guard.add(aRecord(first))
  expect(() => guard.add(aRecord({ ...second, epoch: 2 }))).toThrow(
    `is ${evidenceOf(second).name}, but the records before it are ${evidenceOf(first).name}: ${both} numbers cannot be compared`,
  )
  expect(guard.kind()).toEqual(first)
})
