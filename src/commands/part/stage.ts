import { pathProblem } from '../../sandbox/folders/paths.ts'
import type { Files } from '../../schema/task.ts'
import { problemAt, UserError } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { StageName } from '../../workflows/chain/stages.ts'
import type { RunOptions } from '../config/run-options.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import { openRun } from '../open/open-run.ts'
import { contentReason, fileReason, readWorkspace, resolveIncludedPaths } from '../tasks/workspace-files.ts'
import { readStageResult, reportStage, stageOptionsOf } from './report-stage.ts'
import { requestProblems, runPart } from './run-part.ts'
import { type OpenedWorkflow, openWorkflow, type StageWords, startProgram, writeBack } from './workflow.ts'

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
    return await runPart(run, {
      begun: () => {
        hasBegun = true
      },
      again: (folder) => againWith(words, folder),
      stopped: `workflow ${workflow} is as it was before\n`,
      report: (folder) => endStage(words, opened, folder, options.json === true),
    })
  } finally {
    if (!hasBegun) opened.undoOpening()
    opened.release()
  }
}

function checkWords({ stage, request }: StageWords, { resume }: RunOptions): void {
  const known = StageName.options
  if (!StageName.safeParse(stage).success)
    throw new UserError(problemAt(`stage ${stage}`, 'is unknown', `Use one of ${known.join(', ')}.`))
  const problems = requestProblems(request, resume === undefined ? undefined : '--resume')
  if (problems.length > 0) throw new UserError(problems)
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
      fix: 'Start another one: give a text file as ISSUE, or add --request TEXT.',
    })
  return {
    ...flags,
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
      what: `is not a run of bench stage ${stage}`,
      fix: begun ? `It is one of bench stage ${begun.only}.` : 'Resume it by bench run.',
    })
  if (begun.state !== (redact ? redact.text(stateText) : stateText))
    throw new UserError({
      where,
      what: `did not begin with the state that workflow ${workflow} has now`,
      fix: `Run the stage again: bench stage ${stage} ${shellWord(issue)} ${workflow}`,
    })
  return flags
}

const againWith = ({ stage, issue, workflow }: StageWords, folder: string) =>
  `bench stage ${stage} ${shellWord(issue)} ${workflow} --resume ${shellWord(folder)}`

function endStage(
  words: StageWords,
  { home, stateText }: OpenedWorkflow,
  folder: string,
  json: boolean,
): boolean {
  const { stage } = words
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
  return isGood && shipped?.problem === undefined
}

/**
 * Ships in the workflow's own repository, which a run does not have: its branch, its commit and `change.patch`. The program starts
 * git alone, and no code of the workspace.
 */
function shipAlone(words: StageWords): { problem?: string } {
  const { BENCH_STATE: _, BENCH_STAGE: __, BENCH_SOCKET: ___, ...env } = process.env
  const { status, stderr } = startProgram('ship', words, { env })
  return status === 0 ? {} : { problem: stderr.trim() }
}

/**
 * Returns the files that a workflow began with as a stage may see them. What is left out of the workspace is left out here, too: else
 * a stage would take it for deleted, and could read it.
 */
async function visibleStart(
  start: Files,
  workspace: string,
  include: readonly string[],
): Promise<Record<string, string>> {
  const included = resolveIncludedPaths(workspace, include)
  const { leftOut } = await readWorkspace(workspace, included)
  const isLeftOut = (path: string) =>
    leftOut.some((one) => path === one.path || (one.path.endsWith('/') && path.startsWith(one.path)))
  const visible = Object.entries(start).filter(
    ([path, text]) =>
      !isLeftOut(path) &&
      pathProblem(path) === undefined &&
      (included.includes(path) ||
        (fileReason(path) === undefined && contentReason(text, path) === undefined)),
  )
  return Object.fromEntries(visible)
}
