import { chmodSync, existsSync, lstatSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { packageRoot } from '../../base/package-root.ts'
import { writeAtomic } from '../../base/write-atomic.ts'
import { type FolderLock, lockPath, lockRunFolder } from '../../loop/record/lock.ts'
import { removeInside, replaceInside } from '../../sandbox/folders/write-inside.ts'
import { runProcessSync } from '../../sandbox/machine/start-process.ts'
import { ChainState, WorkflowId } from '../../schema/stage/chain-state.ts'
import type { Files } from '../../schema/task.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { inWords } from '../../text/issue-text.ts'

/** The words of `bench stage`, and the text of `--request`. */
export interface StageWords {
  stage: string
  issue: string
  workflow: string
  request?: string | undefined
}

/** A workflow of the current folder, which this process holds. */
export interface OpenedWorkflow {
  /** `.bench/ID` */
  home: string
  workspace: string
  state: ChainState
  stateText: string
  /** The texts that it began with, by path. */
  start: Files
  /** Makes the workflow what it was before: none, or one that had no task. */
  undoOpening(): void
  release(): void
}

/** Opens and locks the workflow; a new one is made first. Throws `UserError`, such as when another process holds the lock. */
export function openWorkflow(words: StageWords): OpenedWorkflow {
  const checked = WorkflowId.safeParse(words.workflow, inWords)
  if (!checked.success)
    throw new UserError(problemOf(words, `the workflow id ${checked.error.issues[0]?.message}`))
  const home = join('.bench', words.workflow)
  // Only a folder can be locked.
  const isNew = !isFolder(home) && callOpen(words).isNew
  const lock = lockWorkflow(words, home)
  try {
    finishWriteBack(home)
    const before = readIfThere(join(home, 'state.json'))
    const { state, stateText, start } = callOpen(words)
    return {
      ...{ home, state, stateText, start, workspace: join(home, 'workspace') },
      undoOpening: () => {
        if (isNew) rmSync(home, { recursive: true, force: true })
        else if (before !== undefined && before !== stateText) writeAtomic(join(home, 'state.json'), before)
      },
      release: lock.release,
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const readIfThere = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)

interface Printed {
  isNew: boolean
  state: ChainState
  stateText: string
  start: Record<string, string>
}

/** Calls the program that opens a workflow by the rules of the stages, which can be started without bench. */
function callOpen(words: StageWords): Printed {
  const { request } = words
  const flags = request === undefined ? [] : ['--request']
  const { status, stdout, stderr } = startProgram('open', words, { input: request ?? '' }, flags)
  if (status !== 0) throw new UserError(problemOf(words, stderr.trim()))
  const printed = JSON.parse(stdout) as Printed
  return { ...printed, state: ChainState.parse(printed.state) }
}

/** Starts one of the programs of chains, which work without bench too. */
export function startProgram(
  name: string,
  { issue, workflow }: StageWords,
  options: { input?: string; env?: NodeJS.ProcessEnv },
  flags: readonly string[] = [],
) {
  const program = join(packageRoot(), `strategies/chained/${name}.mjs`)
  const ended = runProcessSync(process.execPath, [program, issue, workflow, ...flags], {
    ...{ ...options, encoding: 'utf8', maxBuffer: 1024 ** 3 },
  })
  if (ended.error) throw ended.error
  return ended
}

const problemOf = ({ stage, issue, workflow }: StageWords, what: string): Problem => ({
  where: `stage ${stage} ${issue} ${workflow}`,
  what,
})

function lockWorkflow(words: StageWords, home: string): FolderLock {
  try {
    return lockRunFolder(home)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const what = `another bench stage works on workflow ${words.workflow}`
    const fix = `Wait until it has ended. If none runs, remove ${lockPath(home)}.`
    throw new UserError({ ...problemOf(words, what), fix })
  }
}

const Changes = z.object({
  /** The text of the state file. */
  state: z.string(),
  /** Texts by path in the workspace; null is a deleted file. */
  files: z.record(z.string(), z.string().nullable()),
})
type Changes = z.infer<typeof Changes>

const pendingPath = (home: string) => join(home, 'pending.json')

/** What a workflow must still be, so that nobody's work is overwritten. */
interface Before {
  state: string
  /** The files that the stage began with. */
  files: Files
}

/**
 * Writes what a stage changed into its workflow: all of it or nothing. The changes are first written beside it as a whole, so that a
 * process that is killed meanwhile leaves them for `finishWriteBack`. Throws `UserError` if the workflow is not what it was.
 */
export function writeBack(home: string, before: Before, changes: Changes): void {
  const changed = [
    ...(readFileSync(join(home, 'state.json'), 'utf8') === before.state ? [] : ['state.json']),
    ...Object.keys(changes.files).filter((path) => !isAsBefore(home, path, before.files, changes.files)),
  ]
  if (changed.length > 0)
    throw new UserError({
      where: home,
      what: `was not changed: the work of the stage is not written, because these files differ from those it began with: ${changed.join(', ')}`,
      fix: 'They were changed meanwhile, were left out, or hold a secret. Run the stage again, or take its work from the run folder.',
    })
  writeAtomic(pendingPath(home), JSON.stringify(changes), { durable: true })
  finishWriteBack(home)
}

/** Whether a path has the content that the stage began with, and nothing stands where a folder of it would be. */
function isAsBefore(home: string, path: string, before: Files, after: Changes['files']): boolean {
  const names = path.split('/')
  for (const [i] of names.slice(0, -1).entries()) {
    const folder = names.slice(0, i + 1).join('/')
    const there = lstatSync(join(home, 'workspace', folder), { throwIfNoEntry: false })
    if (!there || after[folder] === null) return !Object.hasOwn(before, path)
    if (!there.isDirectory()) return false
  }
  const file = join(home, 'workspace', path)
  const there = lstatSync(file, { throwIfNoEntry: false })
  if (!Object.hasOwn(before, path)) return there === undefined
  return there?.isFile() === true && readFileSync(file, 'utf8') === before[path]
}

/** Writes the changes that an earlier process did not finish to write. Without any, nothing happens. */
export function finishWriteBack(home: string): void {
  const path = pendingPath(home)
  if (!existsSync(path)) return
  const { state, files } = Changes.parse(JSON.parse(readFileSync(path, 'utf8')))
  const draft = 'pending.draft'
  // Deletions first: a folder may stand where a file was.
  for (const [name, text] of Object.entries(files)) if (text === null) removeInside(home, `workspace/${name}`)
  for (const [name, text] of Object.entries(files)) {
    if (text === null) continue
    const place = join(home, 'workspace', name)
    const mode = lstatSync(place, { throwIfNoEntry: false })?.mode
    replaceInside(home, `workspace/${name}`, text, { draft, durable: true })
    if (mode !== undefined) chmodSync(place, mode & 0o777)
  }
  writeAtomic(join(home, 'state.json'), state, { durable: true })
  rmSync(path)
}
