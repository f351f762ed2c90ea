import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { selectTasks } from '../../loop/plan/select-tasks.ts'
import { readRecords } from '../../loop/record/records.ts'
import { counted } from '../../reports/words/numbers.ts'
import { safeLine, safeText } from '../../reports/words/safe-text.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { type AgentRun, MachineRecord } from '../../schema/machine/machine-record.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { chooseMachine } from '../../workflows/document/read-machine.ts'
import { findConfig, readConfig } from '../config/config-file.ts'
import type { RunOptions } from '../config/run-options.ts'
import { documentsFor } from '../methods/documents.ts'
import { readStep } from './read-step.ts'
import { requestProblems, runPart, sayPlaces, spentText, totalText } from './run-part.ts'

interface StepOptions extends RunOptions {
  input: readonly string[]
  task?: string
  request?: string
}

/**
 * `bench step FILE STATE`: runs one state of a workflow alone, as a run of method `fanout`, and prints what its agents wrote. Exit
 * code 0; 1 if the state failed; as for `bench run` if the run ended early.
 */
export default async function step(named: string, state: string, options: StepOptions): Promise<number> {
  // As after `--methods`.
  const file = named.replace(/^fanout:/, '')
  const { input, task, request, ...flags } = options
  const workProblem = await taskProblem(task, request)
  const config = flags.config ?? findConfig()
  const agents = typeof config === 'string' ? readConfig(config).config.agents : undefined
  const machine = chooseMachine(file, documentsFor({ name: 'fanout' }, true, agents))
  const inputs = readStep(machine, file, state, input, workProblem)
  return runPart(
    {
      ...flags,
      part: {
        ...{ command: 'bench step', strategy: 'fanout', name: state },
        options: { workflow: file, only: state, inputs },
        ...(request !== undefined && { request: { id: 'request', text: request } }),
      },
      ...(task !== undefined && { tasks: task }),
    },
    { report: (folder) => reportStep(folder, options.json === true) },
  )
}

async function taskProblem(task: string | undefined, request: string | undefined): Promise<Problem[]> {
  if (request !== undefined) return requestProblems(request, task === undefined ? undefined : '--task')
  if (task === undefined)
    return [
      {
        where: '--task',
        what: 'is missing: the state works on a task',
        fix: 'Add --task NAME (see bench tasks), or --request TEXT.',
      },
    ]
  return severalTasks(task)
}

/** Which tasks there are is known only here; a run would take all of them. */
async function severalTasks(task: string): Promise<Problem[]> {
  try {
    const { length } = (await selectTasks(task, 1)).tasks
    if (length < 2) return []
    return [{ where: `--task ${task}`, what: `names ${length} tasks`, fix: 'Name one task.' }]
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.problems.map((problem) => ({ ...problem, where: `--task ${task}` }))
  }
}

interface StateResult {
  record: TrialRecord
  machine: MachineRecord | undefined
  /** The transition that the state would take; null if it did not come to one. */
  result: string | null
  runs: (AgentRun & { file?: string; text?: string })[]
}

const failed: readonly (string | null)[] = ['failure', 'all_failure', null]

/** Prints what the agents of a state wrote, and what it cost. Returns whether the state did its work. */
function reportStep(folder: string, json: boolean): boolean {
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
  if (first) sayPlaces(folder, first.record)
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
  const graded =
    record.passed === null || record.delivered === null
      ? []
      : [`task ${record.task}: ${record.passed ? 'passed' : 'not passed'}`]
  const safe = [
    ...verdicts.map(safeText),
    ...[...scores, ...answers, ...graded, totalText(record)].map(safeLine),
  ]
  return safe.join('\n')
}
