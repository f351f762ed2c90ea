import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type GateAnswer, worstAnswer } from '../../analysis/gates/check-limit.ts'
import { withStorageErrors } from '../../loop/journal/storage.ts'
import { renderGateJUnit } from '../../reports/formats/junit.ts'
import { renderGateSummary } from '../../reports/formats/markdown.ts'
import {
  checkText,
  type GateReport,
  gateAnswer,
  gateLines,
  gateTitle,
  type JudgedGate,
  pairNotes,
} from '../../reports/gates/gate-report.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { type Problem, problemAt } from '../../text/errors.ts'
import { addStepSummary, annotate } from '../session/report-ci.ts'
import { checkOutputFile, resolveTarget } from '../terminal/output-file.ts'

/** The files that CI systems read the answers of gates from. */
export interface GateOutputs {
  junit?: string
  stepSummary?: string
}

/** Returns the problems of these files, before anything is read; none may be the `policy`, or the other one. */
export function outputProblems({ junit, stepSummary }: GateOutputs, policy?: string): Problem[] {
  const problems: Problem[] = []
  const isOf = (file: string | undefined, path: string) =>
    file !== undefined && resolveTarget(resolve(file)) === resolveTarget(resolve(path))
  const isFree = (flag: string, path: string | undefined, other?: string) => {
    if (path === undefined || !(isOf(policy, path) || isOf(other, path))) return true
    const what = isOf(policy, path) ? 'is the policy itself' : 'is also the file of --junit'
    problems.push(problemAt(`${flag} ${path}`, what, 'Give another file.'))
    return false
  }
  if (isFree('--junit', junit)) checkOutputFile(problems, '--junit', junit)
  if (isFree('--step-summary', stepSummary, junit))
    checkOutputFile(problems, '--step-summary', stepSummary, { isAdded: true })
  return problems
}

/** Returns the report of some gates; `level` is a share. */
export const gateReport = (source: string, level: number, gates: readonly JudgedGate[]): GateReport => ({
  ...{ source, level, gates },
  answer: worstAnswer(gates.map(({ answer }) => answer)),
})

/** Returns the report as text. */
export const gateText = (report: GateReport): string => gateLines(report).map(safeLine).join('\n')

const exitCodes: Readonly<Record<GateAnswer, number>> = { pass: 0, fail: 1, 'not-enough-evidence': 5 }

/** Tells GitHub Actions of each gate that does not pass, with its limits. */
function annotateGates({ gates }: GateReport): void {
  for (const gate of gates) {
    const title = `${gateAnswer(gate)}: ${gateTitle(gate)}`
    const message = [...gate.checks.map(checkText), ...pairNotes(gate)].join('\n')
    if (gate.answer !== 'pass') annotate(gate.answer === 'fail' ? 'error' : 'warning', title, message)
  }
}

/** Writes the answers for CI systems. Returns the exit code. Throws `StorageError`. */
export async function writeGates(report: GateReport, { junit, stepSummary }: GateOutputs): Promise<number> {
  if (junit !== undefined) withStorageErrors(junit, () => writeFileSync(junit, renderGateJUnit(report)))
  annotateGates(report)
  const unwritten = await addStepSummary({ ...(stepSummary !== undefined && { stepSummary }) }, (room) =>
    renderGateSummary(report, room),
  )
  return exitCodes[report.answer] || unwritten
}
