import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRecords } from '../../loop/record/records.ts'
import { counted, formatCount, formatUsd, unknown } from '../../reports/words/numbers.ts'
import { safeLine, safeText } from '../../reports/words/safe-text.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { type AgentRun, MachineRecord, type MachineSpending } from '../../schema/machine/machine-record.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { ExecutedRun } from '../session/execute.ts'

/** What a trial of one state came to. */
interface StateResult {
  record: TrialRecord
  machine: MachineRecord | undefined
  /** The transition that the state would take; null if it did not come to one. */
  result: string | null
  runs: (AgentRun & { file?: string; text?: string })[]
}

const failed: readonly (string | null)[] = ['failure', 'all_failure', null]

/** Prints what the agents of a state wrote, and what it cost. Returns whether the state did its work. */
export function reportStep({ folder }: ExecutedRun, json: boolean): boolean {
  const results = [...readRecords(folder)].map((record) => readResult(folder, record))
  const text = json
    ? `${JSON.stringify(
        results.map((one) => toJson(folder, one)),
        null,
        2,
      )}\n`
    : results.map(toText).join('\n')
  process.stdout.write(text)
  const [first] = results
  if (first)
    process.stderr.write(
      `prompts and replies: bench show ${shellWord(folder)} ${first.record.trial.slice(0, 12)}\nrun folder: ${folder}\n`,
    )
  return results.length > 0 && results.every(({ result }) => !failed.includes(result))
}

function readResult(folder: string, record: TrialRecord): StateResult {
  const machine = MachineRecord.safeParse(record.state?.machine).data
  const visit = machine?.visits.at(-1)
  const runs = (visit?.runs ?? []).map((run) => {
    const file = run.output && join(folder, 'artifacts', record.trial, 'outputs', run.output.path)
    // `capture` of the config file may leave outputs out.
    return file !== undefined && existsSync(file) ? { ...run, file, text: readFileSync(file, 'utf8') } : run
  })
  return {
    record,
    machine,
    result: record.outcome.status === 'completed' ? (visit?.result ?? null) : null,
    runs,
  }
}

function toJson(folder: string, { record, machine, result, runs }: StateResult) {
  const { trial, task, agents, outcome, passed, simulated, spent } = record
  return {
    ...{ run: folder, trial, task, agents, simulated, outcome },
    ...{ state: machine?.visits.at(-1)?.state ?? null, result, runs },
    ...{ gates: machine?.gates ?? [], scores: machine?.scores ?? [], approvals: machine?.approvals ?? [] },
    ...{ spent, passed },
  }
}

function toText(one: StateResult): string {
  const { record, machine, result, runs } = one
  const visit = machine?.visits.at(-1)
  const lines = [
    `state ${visit?.state ?? record.method}: ${result ?? 'did not end'}`,
    ...(record.outcome.status === 'completed' ? [] : [`${record.outcome.status}: ${record.outcome.reason}`]),
    ...(visit?.actions ?? []).map(({ action, text }) => `${action}: ${text}`),
  ].map(safeLine)
  return `${[lines.join('\n'), ...runs.map(runText), factsText(one)].filter((part) => part !== '').join('\n\n')}\n`
}

function runText({ agent, status, error, output, file, text, spent }: StateResult['runs'][number]): string {
  const cost = spentText(spent)
  if (!output) return safeLine(`${agent}: ${status}${error === undefined ? '' : `, ${error}`} (${cost})`)
  const place = file === undefined ? 'not kept in the run folder' : file
  const head = safeLine(
    `== ${output.path}, by ${agent}: ${counted(output.words, 'word')} (${cost})\n`.trimEnd(),
  )
  return `${head}\n${safeLine(place)}\n\n${safeText(text ?? output.preview).trimEnd()}`
}

function factsText({ machine, record }: StateResult): string {
  const verdicts = (machine?.gates ?? []).map(
    ({ agent, decision, quality_score, issues, retry_guidance }) =>
      `verdict of ${agent}: ${decision}, ${quality_score} of 10${retry_guidance === '' ? '' : `; ${retry_guidance}`}${issues.map(({ severity, issue }) => `\n  ${severity}: ${issue}`).join('')}`,
  )
  const scores = (machine?.scores ?? []).map(
    ({ auditor, target, criterion, score }) => `score by ${auditor}: ${target}, ${criterion} ${score}`,
  )
  const answers = (machine?.approvals ?? []).map(
    ({ decision, feedback }) => `answer: ${decision}${feedback === '' ? '' : `, ${feedback}`}`,
  )
  const { calls, input, output, costUsd, unreportedTokens } = record.spent
  const tokens = unreportedTokens > 0 ? { input: null, output: null } : { input, output }
  const total = `total: ${spentText({ calls, ...tokens, costUsd })}${record.simulated ? ', simulated' : ''}`
  const graded =
    record.passed === null || record.delivered === null
      ? []
      : [`task ${record.task}: ${record.passed ? 'passed' : 'not passed'}`]
  const safe = [...verdicts.map(safeText), ...[...scores, ...answers, ...graded, total].map(safeLine)]
  return safe.join('\n')
}

function spentText({ calls, input, output, costUsd }: MachineSpending): string {
  const tokens =
    input === null || output === null
      ? 'tokens unknown'
      : `${formatCount(input)} tokens in, ${formatCount(output)} out`
  return `${counted(calls, 'call')}, ${tokens}, ${costUsd === null ? `cost ${unknown}` : formatUsd(costUsd)}`
}
