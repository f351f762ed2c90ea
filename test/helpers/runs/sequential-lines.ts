import type { Line } from '../../../src/testing.ts'
import type { sequential } from '../../../strategies/sequential.ts'

export type Role = keyof typeof sequential.roles
export const audit = (compliance: number, ...violations: string[]) => ({
  compliance,
  violations: violations.map((text, i) => ({ id: `R${i + 1}`, text })),
})
export const satisfied = { satisfied: true, feedback: '' }
export const unsatisfied = (feedback: string) => ({ satisfied: false, feedback })
export const repeat = (times: number, ...lines: Line<Role>[]) =>
  Array.from({ length: times }, () => lines).flat()
export const begin: Line<Role> = ['contract-writer', 'R1: add()']
export const rising = (n: number): Line<Role>[] =>
  Array.from({ length: n }, (_, i) => [
    ['auditor', audit((i + 1) / 100, 'wrong')] as Line<Role>,
    ['code-generator', `draft ${i + 1}`] as Line<Role>,
  ]).flat()
