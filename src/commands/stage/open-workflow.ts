import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { writeAtomic } from '../../base/write-atomic.ts'
import { type FolderLock, lockPath, lockRunFolder } from '../../loop/record/lock.ts'
import { runProcessSync } from '../../sandbox/machine/start-process.ts'
import { ChainState, WorkflowId } from '../../schema/stage/chain-state.ts'
import type { Files } from '../../schema/task.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { finishWriteBack } from './write-back.ts'

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
  const checked = WorkflowId.safeParse(words.workflow)
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
  const { issue, workflow, request } = words
  const program = join(packageRoot(), 'strategies/chained/open.mjs')
  const args = [program, issue, workflow, ...(request === undefined ? [] : ['--request'])]
  const { status, stdout, stderr, error } = runProcessSync(process.execPath, args, {
    input: request ?? '',
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  })
  if (error) throw error
  if (status !== 0) throw new UserError(problemOf(words, stderr.trim()))
  const printed = JSON.parse(stdout) as Printed
  return { ...printed, state: ChainState.parse(printed.state) }
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
