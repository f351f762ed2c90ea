import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { pathsIn } from './checkout.mjs'
import { draftOf, removeLostDrafts } from './drafts.mjs'
import { createRepository } from './repository.mjs'
import { readState, writeState } from './state-file.mjs'
import { copyWork, textOf } from './work-files.mjs'

/**
 * Opens the workflow `workflowId` of a folder, in `.bench/ID/` there: its state file, its copy of the folder's files and its git
 * repository. The first call makes them. `issue` is an id, or the path of a text file with the task; with an id,
 * `given` may be the task.
 */
export async function openWorkflow(folder, issue, workflowId, given) {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(workflowId))
    throw new Error(
      `the workflow id ${JSON.stringify(workflowId)} must be small letters, digits, hyphens and underscores, at most 64, and begin with a letter or digit`,
    )
  const { id, task } = readIssue(folder, issue, given)
  const home = join(folder, '.bench', workflowId)
  requireFolder(dirname(home))
  requireFolder(home)
  if (!existsSync(home)) await createWorkflow(folder, home, { id, task: task ?? '', workflowId })
  const statePath = join(home, 'state.json')
  const { state, text } = takeTask(statePath, task, id, workflowId)
  if (task !== undefined && task !== state.task)
    throw new Error(
      `the task of ${issue} is not the one that workflow ${workflowId} began with; use another workflow id`,
    )
  const places = { workspace: join(home, 'workspace'), repository: join(home, 'repository') }
  Object.values(places).forEach(requireFolder)
  const missing = Object.values(places).find((path) => !existsSync(path))
  if (missing !== undefined) throw new Error(`${missing} is missing; use another workflow id`)
  return { home, statePath, ...places, state, text }
}

/** Reads the state. A workflow that was begun with an id alone has no task yet, and takes the first one. */
function takeTask(path, task, issue, workflowId) {
  const { state, text } = readState(path)
  checkIds(state, issue, workflowId)
  if (task === undefined || task === '' || state.task !== '') return { state, text }
  writeState(path, { ...state, task }, text)
  return readState(path)
}

/** Throws if something that is no folder stands where one must be. */
function requireFolder(path) {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (entry === undefined || statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const what =
    entry.isSymbolicLink() && !existsSync(path) ? 'is a link that leads nowhere' : 'is not a folder'
  throw new Error(`${path} ${what}; remove it, or move it away`)
}

/** Throws if a state belongs to another workflow or to another issue. */
export function checkIds(state, issue, workflowId) {
  if (state.workflow_id !== workflowId)
    throw new Error(`the state file belongs to workflow ${state.workflow_id}, not to ${workflowId}`)
  if (state.issue !== issue)
    throw new Error(
      `workflow ${workflowId} is about issue "${state.issue}", not "${issue}"; use another workflow id`,
    )
}

function readIssue(folder, issue, given) {
  const path = resolve(folder, issue)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    if (/^\w[\w.-]{0,99}$/.test(issue)) return { id: issue, task: given }
    throw new Error(
      `the issue ${JSON.stringify(issue)} is neither a file nor an id of letters, digits, dots, hyphens and underscores`,
    )
  }
  if (given !== undefined)
    throw new Error(`the issue ${issue} is a file, so its text is the task; give no other`)
  const task = textOf(readFileSync(path))
  if (task === undefined || task.trim() === '') throw new Error(`the issue ${issue} has no text`)
  return { id: basename(path, extname(path)), task }
}

/** The workflow appears whole: two processes that begin it at once find the one that was first. */
async function createWorkflow(folder, home, { id, task, workflowId }) {
  const bench = dirname(home)
  mkdirSync(bench, { recursive: true })
  // The folder's own git must not see it.
  if (!existsSync(join(bench, '.gitignore'))) writeFileSync(join(bench, '.gitignore'), '*\n')
  removeLostDrafts(home)
  const draft = draftOf(home)
  try {
    mkdirSync(draft)
    const workspace = join(draft, 'workspace')
    copyWork(folder, workspace, pathsIn(folder))
    await createRepository(join(draft, 'repository'), workspace)
    const ids = { version: 1, workflow_id: workflowId, issue: id, task }
    writeState(join(draft, 'state.json'), { ...ids, output: 'files', round: 1, stages: [] })
    renameSync(draft, home)
  } catch (error) {
    if (!existsSync(home)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
