import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseAgents } from '../../../src/commands/config/run-options.ts'
import { parseLimits } from '../../../src/commands/config/trial-limits.ts'
import { parseConditions } from '../../../src/commands/values/fail-if.ts'
import { parseFaults } from '../../../src/commands/values/inject-option.ts'
import { parseWholeNumber } from '../../../src/commands/values/parse-values.ts'
import { parseMethod } from '../../../src/loop/plan/method-spec.ts'
import { splitMethods } from '../../../src/loop/plan/method-text.ts'
import { FaultKind, type Faults } from '../../../src/schema/agent/faults.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { strategies } from '../../../strategies/index.ts'
import { expectProblems, type Fuzz } from './fuzz.ts'

/** Declares the tests that give malformed options. */
export function fuzzOptions(fuzz: Fuzz): void {
  it(`bench refuses malformed options by their flag, or reads them correctly (${fuzz.times})`, async () => {
    const word = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...words) },
      fc.string({ maxLength: 12 }),
      fc.string({ unit: 'binary', maxLength: 6 }),
    )
    const option = fc.array(word, { maxLength: 12 }).map((parts) => parts.join(''))
    const known = strategies.map((strategy) => ({ strategy, digest: 'd' }))
    await fuzz.check([option], (text) => {
      for (const item of splitMethods(text)) {
        const parsed = parseMethod(item, known)
        if ('problems' in parsed) expectProblems(parsed.problems, /^--methods /)
        else expect(parseMethod(item.trim(), known)).toEqual(parsed)
      }
      const problems: Problem[] = []
      const limits = parseLimits(problems, text)
      if (problems.length === 0)
        expect(
          parseLimits(
            [],
            Object.entries(limits)
              .map((pair) => pair.join('='))
              .join(','),
          ),
        ).toEqual(limits)
      else expectProblems(problems, /^--limit/)

      const conditions = parseConditions(text, [])
      for (const condition of conditions) {
        if (condition.kind === 'verdict') continue
        const { metric, bound } = condition
        expect(['success', 'score', 'tokens', 'costUsd', 'totalCostUsd', 'missing', 'passed']).toContain(
          metric,
        )
        expect(Number.isFinite(bound)).toBe(true)
      }
      const agents: Problem[] = []
      const names = parseAgents(agents, undefined, [text], ['solver'])
      if (agents.length > 0) expectProblems(agents, /^--agent/)
      else expect(Object.keys(names)).toEqual(['solver'])

      const numbers: Problem[] = []
      const number = parseWholeNumber(numbers, '--epochs', text, 1)
      if (numbers.length > 0) expectProblems(numbers, /^--epochs/)
      else expect(Number.isSafeInteger(number) && number >= 1).toBe(true)
    })
  })

  it(`bench refuses malformed values of --inject, or reads their rates correctly (${fuzz.times})`, async () => {
    const roles = ['solver', 'auditor', '__proto__']
    const near = (words: readonly string[]) =>
      fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...words) }, fc.constantFrom(...words, ...junk))
    const pair = fc
      .tuple(near(FaultKind.options), near(['=']), near(['0', '0.05', '.1', '1e-3', ' 0.2 ', '1']))
      .map((parts) => parts.join(''))
    const option = fc
      .tuple(near(['', ...roles.map((role) => `${role}:`)]), fc.array(pair, { minLength: 1, maxLength: 4 }))
      .map(([role, pairs]) => `${role}${pairs.join(',')}`)
    let read = 0
    await fuzz.check([fc.array(option, { minLength: 1, maxLength: 3 })], (texts) => {
      const problems: Problem[] = []
      const faults = parseFaults(problems, texts, roles)
      if (problems.length > 0) return expectProblems(problems, /^--inject/)
      read++
      expect(faults).toEqual(plainRates(texts))
    })
    expect(read).toBeGreaterThan(0)
  })
}

/** Returns rates as a simple parser reads them: those of a role override those of all; undefined if all are 0. */
function plainRates(texts: readonly string[]): Faults | undefined {
  const entries = texts.flatMap((text) => {
    const [, role = '*', pairs = ''] = /^(?:([^:=]+):)?(.*)$/s.exec(text) ?? []
    return pairs.split(',').map((pair) => [role.trim(), ...pair.split('=').map((part) => part.trim())])
  })
  const of = (role: string) =>
    Object.fromEntries(
      entries.filter(([own]) => own === role).map(([, kind = '', rate]) => [kind, Number(rate)]),
    )
  const names = [...new Set(entries.map(([role = '']) => role))]
  const all = Object.fromEntries(names.map((role) => [role, { ...of('*'), ...of(role) }]))
  const isAny = Object.values(all).some((rates) => Object.values(rates).some((rate) => rate > 0))
  return isAny ? all : undefined
}

/** Values that an option does not accept. */
const junk = [
  ...'= : , " [ -1 1e999 0x10 NaN 2 constructor timeuot'.split(' '),
  ...['', ' ', '\n', '\0', 'x'.repeat(5000)],
]

const words = [
  ...'baseline sequential integrated simulated solver calls checks tokens costUsd timeMs maxInner maxOuter'.split(
    ' ',
  ),
  ...'parallel success timeout malformed empty * __proto__ constructor toString true null NaN A'.split(' '),
  ...'= [ ] , . : < <= > 0 1 2 0.5 -1 1e3 1e999 0x10 " { }'.split(' '),
  ...[' ', '\n', '\0', '9'.repeat(400), 'x'.repeat(5000), '['.repeat(3000)],
]
