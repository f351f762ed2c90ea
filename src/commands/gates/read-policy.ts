import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { GateLimit } from '../../analysis/gates/check-limit.ts'
import { findLabel } from '../../loop/plan/method-text.ts'
import { measureText } from '../../reports/gates/gate-report.ts'
import { present } from '../../reports/words/numbers.ts'
import { rowNames } from '../../schema/agent/agent-set.ts'
import { GatePolicy, GateRow } from '../../schema/run/gate-policy.ts'
import { type Problem, problemAt, UserError } from '../../text/errors.ts'
import { fileFault } from '../../text/file-fault.ts'
import { readYaml } from '../../yaml/read-fields.ts'
import { type ComparedSide, resolveAgainst, suitesOf } from '../compare/compared-side.ts'
import { labelSides, type Sides } from '../compare/read-sides.ts'

/** A row of a policy: its method of the run and what it is compared with, with the labels of both, and its limits. */
export interface PolicyGate {
  /** The file with the line, for mistakes. */
  where: string
  sides: Sides
  labels: readonly string[]
  limits: GateLimit[]
}

/** A policy for one run. `level` is a share. */
interface Policy {
  level: number
  gates: PolicyGate[]
}

/** Reads a policy for a run. Throws `UserError` with all mistakes at once, each with its line, and those in `problems`. */
export function readPolicy(
  path: string,
  run: Pick<ComparedSide, 'folder' | 'manifest'>,
  problems: Problem[],
): Policy {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const what = `cannot be read: ${fileFault(error)}`
    problems.push(problemAt(`--policy ${path}`, what, 'Name a YAML file of gates: bench help ci#gates.'))
    throw new UserError(problems)
  }
  const methods = rowNames(run.manifest)
  const file = readYaml(text, path, policyFor(run, methods), problems, {
    method: `Methods there: ${methods.join(', ')}.`,
    against: 'Write another method of the run, or RUN:METHOD.',
    suite: `Suites there: ${suitesOf(run.manifest).join(', ')}, or all.`,
    gates: 'List gates under it, each with method, against and limits.',
  })
  if (!file) throw new UserError(problems)
  const { level, gates } = file.data
  const read = gates.map((row, index) => {
    const where = file.where('gates', index)
    return findMistakes(where, problems, () => gateOf(row, where, run.folder))
  })
  problems.push(...repeatedLimits(present(read)))
  if (problems.length > 0) throw new UserError(problems)
  return { level: level / 100, gates: present(read) }
}

/** Runs what may find mistakes of a gate, and adds them to `problems` with its place; undefined if there are some. */
export function findMistakes<Found>(
  where: string,
  problems: Problem[],
  find: () => Found,
): Found | undefined {
  try {
    return find()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    problems.push(...error.problems.map((one) => ({ ...one, where, what: `${one.where} ${one.what}` })))
    return undefined
  }
}

/** Finds limits that are written twice: which of them is meant is unclear. */
function repeatedLimits(gates: readonly PolicyGate[]): Problem[] {
  const first = new Map<string, string>()
  return gates.flatMap(({ where, sides, limits }) =>
    limits.flatMap(({ suite, measure }) => {
      const pair = sides.map(({ folder, label }) => [folder, label])
      const key = JSON.stringify([pair, suite, measure])
      const before = first.get(key)
      first.set(key, before ?? where)
      if (before === undefined) return []
      const what = `limits ${measureText({ measure, suite })} of the same pair again, after ${before}`
      return [problemAt(where, what, 'Remove one of the two.')]
    }),
  )
}

/** The schema of a policy that also knows the names of a run, so that all mistakes are found together. */
const policyFor = (run: Pick<ComparedSide, 'folder' | 'manifest'>, methods: readonly string[]) => {
  const { shape } = GateRow
  const known = (isKnown: (name: string) => boolean, kind: string) => ({
    check: isKnown,
    error: ({ input }: { input: unknown }) => `"${input}" is no ${kind} of ${run.folder}`,
  })
  const [method, suite] = [
    known((name) => findLabel(name, methods) !== undefined, 'method'),
    known((name) => name === 'all' || suitesOf(run.manifest).includes(name), 'suite'),
  ]
  const row = GateRow.extend({
    method: shape.method.refine(method.check, { error: method.error }),
    suite: shape.suite.refine((name) => name === undefined || suite.check(name), { error: suite.error }),
    against: shape.against.superRefine((name, context) => {
      const fault = faultOf(name, run.folder)
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
    }),
  }).superRefine((gate, context) => {
    if (limitsOf(gate).length === 0)
      context.addIssue({
        code: 'custom',
        message: 'has no limit. Write margin, relativeMargin, cost, tokens or time',
      })
    if (gate.method === gate.against)
      context.addIssue({ code: 'custom', path: ['against'], message: 'is the method itself' })
  })
  return GatePolicy.extend({ gates: z.array(row).min(1) })
}

/** Says why a text names nothing to compare with; undefined if it does. */
function faultOf(name: string, folder: string): string | undefined {
  try {
    resolveAgainst(name, folder)
    return undefined
  } catch (error) {
    if (error instanceof UserError)
      return `${error.problems.map(({ where, what }) => `${where}: ${what}`).join('; ')}`
    throw error
  }
}

function gateOf(row: GateRow, where: string, run: string): PolicyGate {
  const sides = [resolveAgainst(row.method, run), resolveAgainst(row.against, run)] as const
  return {
    where,
    sides,
    labels: labelSides(sides, `${row.method} against ${row.against}`),
    limits: limitsOf(row),
  }
}

const share = (percent: number | undefined) => (percent === undefined ? null : percent / 100)

function limitsOf({
  suite: written,
  outcome,
  margin,
  relativeMargin,
  cost,
  tokens,
  time,
}: GateRow): GateLimit[] {
  const suite = written === undefined || written === 'all' ? null : written
  const hasMargin = margin !== undefined || relativeMargin !== undefined
  const spent = { costUsd: cost, tokens, durationMs: time } as const
  return [
    ...(hasMargin
      ? [{ suite, measure: outcome, margin: share(margin), relativeMargin: share(relativeMargin) }]
      : []),
    ...(Object.keys(spent) as (keyof typeof spent)[]).flatMap((measure): GateLimit[] => {
      const ratio = spent[measure]
      return ratio === undefined ? [] : [{ suite, measure, ratio }]
    }),
  ]
}
