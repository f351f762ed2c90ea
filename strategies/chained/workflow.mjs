import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { createRepository } from './repository.mjs'
import { readState, writeState } from './state-file.mjs'
import { isWork, listWork, textOf } from './work-files.mjs'

/**
 * Opens the workflow `workflowId` of a folder, in `.bench/ID/` there: its state file, its copy of the folder's files and its git
 * repository. The first call makes them. `issue` is an id, or the path of a text file with the task; with an id, `text` may be
 * the task.
 */
export async function openWorkflow(folder, issue, workflowId, text) {
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(workflowId))
    throw new Error(
      `the workflow id ${JSON.stringify(workflowId)} must be small letters, digits, hyphens and underscores, at most 64, and begin with a letter or digit`,
    )
  const { id, task } = readIssue(folder, issue, text)
  const home = join(folder, '.bench', workflowId)
  if (!existsSync(home)) await createWorkflow(folder, home, { id, task: task ?? '', workflowId })
  const paths = { home, statePath: join(home, 'state.json'), workspace: join(home, 'workspace') }
  const { state, text: stateText } = readState(paths.statePath)
  checkIds(state, id, workflowId)
  if (task !== undefined && task !== state.task)
    throw new Error(
      `the task of ${issue} is not the one that workflow ${workflowId} began with; begin another workflow`,
    )
  return { ...paths, repository: join(home, 'repository'), state, text: stateText }
}

/** Throws if a state belongs to another workflow or to another issue. */
export function checkIds(state, issue, workflowId) {
  if (state.workflow_id !== workflowId)
    throw new Error(`the state file belongs to workflow ${state.workflow_id}, not to ${workflowId}`)
  if (state.issue !== issue)
    throw new Error(
      `workflow ${workflowId} is about issue ${state.issue}, not ${issue}; use another workflow id`,
    )
}

function readIssue(folder, issue, given) {
  const path = resolve(folder, issue)
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false
  if (!isFile) {
    if (/^\w[\w.-]{0,99}$/.test(issue)) return { id: issue, task: given }
    throw new Error(
      `issue ${JSON.stringify(issue)} is neither a file nor an id of letters, digits, dots, hyphens and underscores`,
    )
  }
  if (given !== undefined)
    throw new Error(`the issue ${issue} is a file, so its text is the task; give no other`)
  const text = textOf(readFileSync(path))
  if (text === undefined || text.trim() === '') throw new Error(`the issue ${issue} has no text`)
  return { id: basename(path, extname(path)), task: text }
}

/** The workflow appears whole: two processes that begin it at once find the one that was first. */
async function createWorkflow(folder, home, { id, task, workflowId }) {
  const bench = dirname(home)
  mkdirSync(bench, { recursive: true })
  // The folder's own git must not see it.
  if (!existsSync(join(bench, '.gitignore'))) writeFileSync(join(bench, '.gitignore'), '*\n')
  const draft = mkdtempSync(join(bench, '.opening-'))
  try {
    copyFiles(folder, join(draft, 'workspace'))
    await createRepository(join(draft, 'repository'), join(draft, 'workspace'))
    const state = {
      version: 1,
      workflow_id: workflowId,
      issue: id,
      task,
      output: 'files',
      round: 1,
      stages: [],
    }
    writeState(join(draft, 'state.json'), state)
    renameSync(draft, home)
  } catch (error) {
    if (!existsSync(home)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Copies the files of a folder that are work, and links its packages. */
function copyFiles(from, to) {
  mkdirSync(to)
  const folders = new Set([''])
  for (const path of pathsOf(from)) {
    const entry = lstatSync(join(from, path), { throwIfNoEntry: false })
    const isLink = entry?.isSymbolicLink()
    if (!(entry?.isFile() || (isLink && staysInside(from, path)))) continue
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder)
    mkdirSync(join(to, dirname(path)), { recursive: true })
    if (isLink) symlinkSync(readlinkSync(join(from, path)), join(to, path))
    else copyFileSync(join(from, path), join(to, path))
  }
  for (const folder of folders)
    linkPackages(join(from, folder, 'node_modules'), join(to, folder, 'node_modules'))
}

/** A link that leads out of the folder would be shared by all workflows. */
function staysInside(folder, path) {
  const target = resolve(folder, dirname(path), readlinkSync(join(folder, path)))
  return !relative(folder, target).startsWith('..') && !readlinkSync(join(folder, path)).startsWith(sep)
}

/** Links each package, not the folder: what tools write beside the packages stays in the workflow. */
function linkPackages(from, to) {
  if (!existsSync(from)) return
  mkdirSync(to)
  for (const name of readdirSync(from))
    if (!name.startsWith('.') || name === '.bin') symlinkSync(realpathSync(join(from, name)), join(to, name))
}

/** Returns the paths of the files that are work: of a git checkout, those that git has or that it does not ignore. */
function pathsOf(folder) {
  const listed = askGit(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  if (listed === undefined) return listWork(folder).map(({ path }) => path)
  return [...new Set(listed.split('\0'))].filter((path) => path !== '' && isWork(path))
}

/** Where the folder lies in its checkout: empty at the top, else with `/` at the end. */
export const placeInCheckout = (folder) =>
  (askGit(folder, ['rev-parse', '--show-prefix']) ?? '').replace(/\n$/, '')

/** Asks the git of the user's folder, which it must not change. Returns undefined where there is none. */
function askGit(folder, words) {
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, GIT_PREFIX: ____, ...env } = process.env
  const options = [
    '-c',
    'core.fsmonitor=false',
    '-c',
    'core.untrackedCache=keep',
    '-c',
    'core.hooksPath=/dev/null',
  ]
  const ended = spawnSync('git', [...options, ...words], {
    cwd: folder,
    env: { ...env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
    maxBuffer: 1024 ** 3,
  })
  if (ended.status === 0) return ended.stdout.toString()
  if (ended.error?.code === 'ENOENT' || /not a git repository/.test(ended.stderr)) return undefined
  throw new Error(`git cannot list the files of ${folder}: ${ended.error?.message ?? ended.stderr}`.trim())
}
