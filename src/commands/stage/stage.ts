import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { StageName } from '../../orchestration/chain/stages.ts'
import { runProcessSync } from '../../sandbox/machine/start-process.ts'
import { UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { RunOptions } from '../config/run-options.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import { openRun } from '../open/open-run.ts'
import { type EndedRun, runAtTerminal } from '../run-at-terminal.ts'
import { reportLimits, reportStop } from '../session/report-end.ts'
import { type OpenedWorkflow, openWorkflow, type StageWords } from './open-workflow.ts'
import { reportStage } from './report-stage.ts'
import { readStageResult, stageOptionsOf } from './stage-result.ts'
import { visibleStart } from './start-files.ts'
import { writeBack } from './write-back.ts'

interface StageOptions extends RunOptions {
  request?: string
}

/**
 * `bench stage STAGE ISSUE WORKFLOW_ID`: runs one stage on a workflow of the current folder, as a run of method `chained`, and
 * writes its state and its files back. Exit code: that of the stage; as for `bench run` if the run ended early.
 */
export default async function stage(
  name: string,
  issue: string,
  workflow: string,
  options: StageOptions,
): Promise<number> {
  const { request, ...flags } = options
  const words = { stage: name, issue, workflow, request }
  checkWords(words, flags)
  const opened = openWorkflow(words)
  let hasBegun = false
  try {
    const run =
      flags.resume === undefined ? await newRun(words, flags, opened) : resumedRun(words, flags, opened)
    return await runAtTerminal(run, async (ended) => {
      hasBegun = true
      return await endStage(words, opened, ended, options.json === true)
    })
  } finally {
    if (!hasBegun) opened.undoOpening()
    opened.release()
  }
}

function checkWords({ stage, request }: StageWords, { resume }: RunOptions): void {
  const known = StageName.options
  if (!StageName.safeParse(stage).success)
    throw new UserError({
      where: `stage ${stage}`,
      what: 'is unknown',
      fix: `Use one of ${known.join(', ')}.`,
    })
  if (request !== undefined && request.trim() === '')
    throw new UserError({ where: '--request', what: 'is empty', fix: 'Write what the agents should do.' })
  if (request !== undefined && resume !== undefined)
    throw new UserError({ where: '--request', what: 'conflicts with --resume', fix: 'Use one of them.' })
}

async function newRun(
  { stage, issue, workflow }: StageWords,
  { include = [], ...flags }: RunOptions,
  { workspace, state, stateText, start }: OpenedWorkflow,
): Promise<RunOptions> {
  if (state.task.trim() === '')
    throw new UserError({
      where: `stage ${stage} ${issue} ${workflow}`,
      what: 'the workflow has no task',
      fix: 'Begin another one: give a text file as ISSUE, or add --request TEXT.',
    })
  return {
    ...flags,
    ...{ epochs: '1', notify: 'none' },
    part: {
      ...{ command: 'bench stage', strategy: 'chained', name: stage },
      options: { only: stage, state: stateText, start: await visibleStart(start, workspace, include) },
      request: { id: state.issue, text: state.task, workspace, include },
    },
  }
}

function resumedRun(
  { stage, issue, workflow }: StageWords,
  flags: RunOptions,
  { stateText }: OpenedWorkflow,
): RunOptions {
  const where = `--resume ${flags.resume}`
  const { manifest } = openRun(flags.resume as string)
  const begun = stageOptionsOf(manifest)
  const { redact } = findRunSecrets(manifest.secrets ?? [])
  if (begun?.only !== stage)
    throw new UserError({
      where,
      what: `is no run of bench stage ${stage}`,
      fix: begun ? `It is one of bench stage ${begun.only}.` : 'Resume it by bench run.',
    })
  if (begun.state !== (redact ? redact.text(stateText) : stateText))
    throw new UserError({
      where,
      what: `did not begin with the state that workflow ${workflow} has now`,
      fix: `Run the stage again: bench stage ${stage} ${shellWord(issue)} ${workflow}`,
    })
  return { ...flags, notify: 'none' }
}

const againWith = ({ stage, issue, workflow }: StageWords, folder: string) =>
  `bench stage ${stage} ${shellWord(issue)} ${workflow} --resume ${shellWord(folder)}`

async function endStage(
  words: StageWords,
  { home, stateText }: OpenedWorkflow,
  { executed, byPerson, isBroken }: EndedRun,
  json: boolean,
): Promise<number> {
  const { stage, workflow } = words
  const { folder, end } = executed
  reportLimits(end)
  if (end.interrupted) {
    const code = reportStop(executed, byPerson, againWith(words, folder))
    process.stderr.write(`workflow ${workflow} is as it was before\n`)
    return isBroken() ? 1 : code
  }
  const result = readStageResult(folder)
  if (!result) throw new Error(`the run in ${folder} has ended without a record`)
  const isGood = result.exit === 0 && result.broken === undefined
  if (result.state && !(isGood && stage === 'ship'))
    writeBack(
      home,
      { state: stateText, files: result.before },
      { state: `${JSON.stringify(result.state, null, 2)}\n`, files: result.files },
    )
  const shipped = isGood && stage === 'ship' ? shipAlone(words) : undefined
  reportStage({ words, home, folder, result, shipped }, json)
  if (result.record.outcome.status === 'error')
    process.stderr.write(`to try it again: ${againWith(words, folder)} --retry-errors\n`)
  return isGood && shipped?.problem === undefined && !isBroken() ? 0 : 1
}

/**
 * Ships in the workflow's own repository, which a run does not have: its branch, its commit and `change.patch`. The program starts
 * git alone, and no code of the workspace.
 */
function shipAlone({ issue, workflow }: StageWords): { problem?: string } {
  const program = join(packageRoot(), 'strategies/chained/ship.mjs')
  const { BENCH_STATE: _, BENCH_STAGE: __, BENCH_SOCKET: ___, ...env } = process.env
  const { status, stderr, error } = runProcessSync(process.execPath, [program, issue, workflow], {
    env,
    encoding: 'utf8',
  })
  if (error) throw error
  return status === 0 ? {} : { problem: stderr.trim() }
}
