import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { canAsk } from './ask.mjs'
import { createRepository } from './repository.mjs'
import { endTools } from './start-tool.mjs'
import { readState, stateText, writeState } from './state-file.mjs'
import { checkIds, openWorkflow } from './workflow.mjs'

/**
 * Runs a stage: `ISSUE WORKFLOW_ID` are its words. `work` gets the workflow, and returns the new state with a `detail` in words,
 * and whether it `failed`. What it throws is a failure, too. The exit code is 0 for good work, else 1.
 */
export async function runStage(stage, { asks }, work) {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-chain-'))
  endBySignals(stage, scratch)
  try {
    const [issue, workflowId] = readWords(stage)
    if (asks && !canAsk())
      throw new Error(`it needs an agent; run \`bench stage ${stage} ${issue} ${workflowId}\``)
    const workflow = { ...(await open(issue, workflowId, scratch)), scratch }
    const { next, detail, failed, error } = await attempt(stage, work, workflow)
    // Bench takes no state from a stage that ends with 2.
    process.exitCode = 2
    writeState(workflow.statePath, next, workflow.text)
    process.exitCode = 1
    if (error) throw error
    process.stdout.write(`${stage}: ${detail}\n`)
    process.exitCode = failed ? 1 : 0
  } catch (error) {
    process.stderr.write(`${stage}: ${error.message}\n`)
    process.exitCode ??= 1
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function readWords(stage) {
  const words = process.argv.slice(2)
  if (words.length !== 2)
    throw new Error(`it takes two words, got ${words.length}\nusage: node ${stage}.mjs ISSUE WORKFLOW_ID`)
  return words
}

/** Does the work, and what must only be done, by `finish`, once it is certain that the new state can be written. */
async function attempt(stage, work, workflow) {
  try {
    const { state, detail, failed = false, finish } = await work(workflow)
    const next = withEnd(state, stage, failed, detail)
    stateText(next)
    finish?.()
    return { next, detail, failed }
  } catch (error) {
    return { next: withEnd(workflow.state, stage, true, error.message), failed: true, error }
  }
}

const withEnd = (state, stage, failed, detail) => ({
  ...state,
  stages: [...state.stages, { stage, status: failed ? 'failed' : 'done', detail }],
})

/** A signal ends the tools with all that they started, too, and leaves nothing behind. The state stays as it was. */
function endBySignals(stage, scratch) {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, async () => {
      await endTools(name)
      rmSync(scratch, { recursive: true, force: true, maxRetries: 3 })
      process.stderr.write(`${stage}: ended by ${name}; the state is as it was before\n`)
      process.exit(128 + constants.signals[name])
    })
}

/** Opens the workflow that bench hands over; alone, the one in the current folder. */
async function open(issue, workflowId, scratch) {
  const { BENCH_STATE: statePath, BENCH_STAGE: stageFolder } = process.env
  const folder = process.cwd()
  if (statePath === undefined) {
    const workflow = await openWorkflow(folder, issue, workflowId)
    return { ...workflow, folder, openRepository: async () => workflow.repository }
  }
  if (stageFolder === undefined)
    throw new Error('BENCH_STATE is set, but BENCH_STAGE is not; set both or none')
  const { state, text } = readState(statePath)
  checkIds(state, issue, workflowId)
  const openRepository = async () => {
    const repository = join(scratch, 'repository')
    await createRepository(repository, join(stageFolder, 'start'), plainMode)
    return repository
  }
  return { statePath, state, text, workspace: folder, openRepository, toMode: plainMode }
}

/** Bench keeps the text of files and not their mode. */
const plainMode = () => '100644'
