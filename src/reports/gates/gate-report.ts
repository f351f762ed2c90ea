import type { KindFacts } from '../../analysis/evidence.ts'
import type { GateAnswer, GateCheck, GateLimit, GateMeans } from '../../analysis/gates/check-limit.ts'
import type { NeededEvidence } from '../../analysis/gates/needed-evidence.ts'
import { servedNotes, wordingsNotes } from '../comparison/run-notes.ts'
import { marksOf, profileText } from '../words/evidence-text.ts'
import {
  counted,
  formatCount,
  formatPercent,
  formatShare,
  formatUsd,
  present,
  ratioRange,
  timeText,
} from '../words/numbers.ts'
import { formatDifference, refusalText } from '../words/result-text.ts'

/** What one row of a policy says, or the conditions of one comparison. */
export interface JudgedGate extends KindFacts {
  method: string
  against: string
  /** The run folders, one or two. */
  runs: readonly string[]
  answer: GateAnswer
  checks: readonly (GateCheck & { needed: NeededEvidence | null })[]
  /** Means of outcomes and cost on all tasks that both have, whatever is limited. */
  means: readonly GateMeans[]
  /** Other settings that differ between the runs, as texts. */
  differing: readonly string[]
  /** Which models answered behind an agent of both rows that has several, as sentences. */
  served: readonly string[]
  /** Wordings that were tried on the tasks of these runs. */
  wordings: number
  faults: string | null
  /** Profiles that simulated numbers describe. */
  profiles: readonly string[]
}

/** What a policy, or the conditions of a comparison, say. */
export interface GateReport {
  /** The policy's file, or the flag with the conditions. */
  source: string
  /** Chance of a false failure, as a share. */
  level: number
  answer: GateAnswer
  gates: readonly JudgedGate[]
}

/** The answers in words. */
const answerWords: Readonly<Record<GateAnswer, string>> = {
  pass: 'pass',
  fail: 'fail',
  'not-enough-evidence': 'not enough evidence',
}

/** Returns the answer of a gate with what its numbers are: `pass (simulated)`. */
export const gateAnswer = (gate: JudgedGate): string => `${answerWords[gate.answer]}${marksOf(gate)}`

const gateName = ({ method, against }: JudgedGate): string => `${method} against ${against}`

/** Returns `review against baseline` with the limits, which tells one row of a policy from another. */
export const gateTitle = (gate: JudgedGate): string =>
  `${gateName(gate)}: ${gate.checks.map(({ limit }) => limitText(limit)).join(', ')}`

function limitText(limit: GateLimit): string {
  const measure = measureText(limit)
  if ('ratio' in limit) return `${measure} at most ${limit.ratio}x`
  const percent = (share: number) => Number((100 * share).toPrecision(12))
  const { margin, relativeMargin } = limit
  const allowed = [
    margin !== null && `${percent(margin)} points`,
    relativeMargin !== null && `${percent(relativeMargin)}%`,
  ]
  return `${measure} at most ${present(allowed).join(' and ')} below`
}

/** Returns the answers of a report as lines of text: the whole, then each gate with its limits and what differs between its runs. */
export function gateLines({ source, level, answer, gates }: GateReport): string[] {
  const marks = new Set(gates.map((gate) => marksOf(gate)))
  const said = new Set(gates.map((gate) => profileText({ ...gate, profiles: [...gate.profiles] })))
  return [
    `${source}: ${answerWords[answer]}${[...marks].join('')}`,
    ...gates.flatMap((gate) => [
      `  ${gateAnswer(gate)}: ${gateName(gate)}`,
      ...gate.checks.map((check) => `    ${checkText(check)}`),
    ]),
    ...present([...said]).map((text) => `The numbers ${text}: so does each answer.`),
    ...new Set(gates.flatMap(pairNotes)),
    `Limits are one-sided. If no limit is exceeded, the whole fails in ${Number((100 * level).toPrecision(12))}% of such runs at most.`,
  ]
}

/** Returns what else may explain a difference: models that changed, and what differs between the runs. */
export const pairNotes = ({ differing, served, wordings }: JudgedGate): string[] => [
  ...servedNotes({ served: [...served] }),
  ...wordingsNotes({ wordings }, `a limit passes at 1/${wordings} of the level`),
  ...differing.map((text) => `Between the runs: ${text}.`),
]

const measures: Readonly<Record<GateLimit['measure'], string>> = {
  success: 'success',
  score: 'score',
  tokens: 'tokens',
  costUsd: 'cost',
  durationMs: 'time',
}

/** Returns `cost on code`. */
export const measureText = ({ measure, suite }: Pick<GateLimit, 'measure' | 'suite'>) =>
  `${measures[measure]}${suite === null ? '' : ` on ${suite}`}`

/** Says what one limit found: measure, numbers, what is allowed, the answer, and what would decide. */
export function checkText(check: GateReport['gates'][number]['checks'][number]): string {
  const { limit, answer, refusal, needed } = check
  const found = `${measureText(limit)} ${numbersText(check)}, ${tasksText(check)}; ${allowedText(check)}: ${answerWords[answer]}`
  return present([
    found,
    refusal !== null && refusalText(refusal),
    missingText(check),
    needed &&
      `if it stays as it is, ${counted(needed.tasks, 'task')} in all${needed.epochs === null ? '' : `, or ${counted(needed.epochs, 'epoch')} of each,`} would decide in 4 of 5 runs`,
  ]).join('; ')
}

const tasksText = ({ tasks, plannedTasks }: GateCheck) =>
  tasks === plannedTasks ? counted(tasks, 'task') : `${tasks} of ${counted(plannedTasks, 'task')}`

/** Says how many trials have no value, and whether they could change the answer. Empty without such trials. */
function missingText({ limit, answer, missing, missingDecides, refusal }: GateCheck): string {
  if (missing === 0) return ''
  const lacks = 'ratio' in limit ? `known ${measures[limit.measure]}` : 'result'
  const found = `${counted(missing, 'trial')} ${missing === 1 ? 'has' : 'have'} no ${lacks}`
  if (answer !== 'not-enough-evidence') return `${found}; the answer holds with these counted against it`
  return missingDecides && refusal === null
    ? `${found} and ${missing === 1 ? 'counts' : 'count'} against the answer`
    : found
}

function numbersText({ limit, estimate, lower, upper, means }: GateCheck): string {
  if ('ratio' in limit)
    return estimate === null && means.method === 0 && means.against === 0
      ? '0 against 0'
      : ratioRange({ ratio: estimate, lower, upper, refusal: null })
  const difference = formatDifference({ estimate, lower, upper }, { scale: 100, decimals: 1 })
  const [method, against] = [means.method, means.against].map((mean) =>
    mean === null ? '-' : formatShare(mean),
  )
  return `${difference} points (${method} against ${against})`
}

function allowedText({ limit, bound }: GateCheck): string {
  if ('ratio' in limit) return `at most ${limit.ratio}x`
  const points = `at most ${Number((-100 * bound).toFixed(2))} points below`
  const isRelative = limit.relativeMargin !== null && -bound < (limit.margin ?? 1)
  return isRelative ? `${points} (${Number((100 * (limit.relativeMargin as number)).toFixed(2))}%)` : points
}

/** Returns the means of both methods by measure, as texts, for files of CI systems. */
export function meanTexts({ method, against, checks, means }: JudgedGate): [string, string][] {
  const format = {
    success: formatPercent,
    score: formatPercent,
    tokens: formatCount,
    costUsd: formatUsd,
    durationMs: timeText,
  }
  const all = [
    ...means.map((one) => ({ ...one, suite: null })),
    ...checks.map(({ limit: { measure, suite }, means }) => ({ measure, suite, ...means })),
  ]
  const found = all.flatMap((one): [string, string][] => {
    const text = (mean: number | null) => (mean === null ? 'unknown' : format[one.measure](mean))
    return [
      [`${method}: ${measureText(one)}`, text(one.method)],
      [`${against}: ${measureText(one)}`, text(one.against)],
    ]
  })
  return [...new Map(found)]
}
