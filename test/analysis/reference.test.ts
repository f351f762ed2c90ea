import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as adapter from './reference-adapter.ts'

interface Case {
  id: string
  procedure: string
  note: string
  args: unknown[]
  expected: Record<string, unknown>
  tolerance: { abs: number; rel: number; fields?: Record<string, number> }
}

const file = new URL('../../fixtures/stats-reference/cases.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] }
const procedures = adapter as unknown as Record<
  string,
  ((...args: unknown[]) => Record<string, unknown>) | undefined
>

/** Returns the differences between `got` and the results of R and SciPy; null means "not estimable". */
function misses({ expected, tolerance }: Case, got: Record<string, unknown>): string[] {
  const differs = (want: unknown, value: unknown, field: string): boolean => {
    if (Array.isArray(want))
      return (
        !Array.isArray(value) ||
        value.length !== want.length ||
        want.some((one, index) => differs(one, value[index], field))
      )
    if (typeof want !== 'number' || typeof value !== 'number') return want !== value
    const room = tolerance.fields?.[field] ?? Math.max(tolerance.abs, tolerance.rel * Math.abs(want))
    return !(Math.abs(value - want) <= room)
  }
  return Object.entries(expected)
    .filter(([field, want]) => differs(want, got[field], field))
    .map(([field, want]) => `${field}: ${JSON.stringify(got[field])} for ${JSON.stringify(want)}`)
}

describe('the procedures agree with R and SciPy', () => {
  it('in 62 cases of 48 procedures', () => {
    expect(cases).toHaveLength(62)
    expect(new Set(cases.map(({ procedure }) => procedure)).size).toBe(48)
  })

  it.each(cases.map((one) => [`${one.id} ${one.procedure}: ${one.note}`, one] as const))('%s', (_, one) => {
    const args = structuredClone(one.args)
    const got = procedures[one.procedure]?.(...args)
    expect(got, one.procedure).toBeDefined()
    expect(misses(one, got ?? {})).toEqual([])
    expect(args, 'its arguments are left as they were').toEqual(one.args)
  })
})
