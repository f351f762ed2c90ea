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

  it('marks the dollars of dev mode alone, since live mode may have paid agents beside simulated ones', () => {
    expect(dollarMark({ mode: 'dev', simulated: true })).toBe(evidenceOf(true).mark)
    expect(dollarMark({ mode: 'live', simulated: true })).toBe('')
    expect(dollarMark({ mode: 'dev', simulated: false })).toBe('')
  })
})

it.each([
  [true, false],
  [false, true],
])('the guard names both kinds, whichever comes first (simulated first: %s)', (first, second) => {
  const guard = createMixGuard()
  guard.add(aRecord({ simulated: first }))
  expect(() => guard.add(aRecord({ simulated: second, epoch: 2 }))).toThrow(
    `is ${evidenceOf(second).name}, but the records before it are ${evidenceOf(first).name}: simulated and live numbers cannot be compared`,
  )
  expect(guard.simulated()).toBe(first)
})
