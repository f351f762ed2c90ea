import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canAsk } from './ask.mjs'
import { createRepository } from './repository.mjs'
import { readState, writeState } from './state-file.mjs'
import { checkIds, openWorkflow } from './workflow.mjs'

/**
 * Runs a stage: `ISSUE WORKFLOW_ID` are its words. `work` gets the workflow, and returns the new state with a `detail` in words,
 * and whether it `failed`. What it throws is a failure, too. The exit code is 0 for good work, else 1.
 */
export async function runStage(stage, { asks }, work) {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-chain-'))
  try {
    const [issue, workflowId] = readWords(stage)
    if (asks && !canAsk())
      throw new Error(`it needs an agent; run \`bench stage ${stage} ${issue} ${workflowId}\``)
    const workflow = { ...(await open(issue, workflowId, scratch)), scratch }
    const { state, detail, failed = false, error } = await attempt(work, workflow)
    const ended = { stage, status: failed ? 'failed' : 'done', detail }
    writeState(workflow.statePath, { ...state, stages: [...state.stages, ended] }, workflow.text)
    if (error) throw error
    process.stdout.write(`${stage}: ${detail}\n`)
    process.exitCode = failed ? 1 : 0
  } catch (error) {
    process.stderr.write(`${stage}: ${error.message}\n`)
    process.exitCode = 1
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

async function attempt(work, workflow) {
  try {
    return await work(workflow)
  } catch (error) {
    return { state: workflow.state, failed: true, detail: error.message, error }
  }
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
