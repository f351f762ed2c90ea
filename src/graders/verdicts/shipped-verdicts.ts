import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { valueAt } from '../../base/grouping.ts'
import { packageRoot } from '../../base/package-root.ts'
import type { VerdictsBasis } from '../../schema/ledger/verdict.ts'
import type { Task } from '../../schema/task.ts'
import { UserError } from '../../text/errors.ts'
import { basisDifference, readVerdicts, type VerdictFile, verdictsBasis } from './verdict-file.ts'
import { createVerdicts, keepsVerdicts, type Verdicts } from './verdicts.ts'

/** Gives the verdicts that are known of a task's wrong solutions; undefined: none can be. */
export type FindVerdicts = (task: Task) => Promise<Verdicts | undefined>

/**
 * Returns a function that finds the verdicts which come with bench for the wrong solutions of built-in tasks, so that nobody has to run
 * these. They are of one Node and, for tasks in Python, of one Python; elsewhere, and for every other task, nothing is known and all
 * code is run. A file is read when its first task is prepared.
 */
export function shippedVerdicts(folder = shippedFolder()): FindVerdicts {
  const opened = new Map<string, Promise<Verdicts | undefined>>()
  return async (task) => {
    if (!keepsVerdicts('grade', task)) return undefined
    const language = languageOf(task)
    return valueAt(opened, language, () => openShipped(folder, language))
  }
}

async function openShipped(
  folder: string,
  language: ReturnType<typeof languageOf>,
): Promise<Verdicts | undefined> {
  const basis = await verdictsBasis(language)
  const file = shippedFile(basis)
  const read = await readSound(join(folder, file))
  if (!read || basisDifference(read.basis, basis) !== undefined) return undefined
  return createVerdicts({ file, read, proved: undefined, write: undefined })
}

/** A file that was damaged is none: running the code costs time alone. */
async function readSound(path: string): Promise<VerdictFile | undefined> {
  if (!existsSync(path)) return undefined
  return await readVerdicts(path).catch((error: unknown) => {
    if (error instanceof UserError) return undefined
    throw error
  })
}

const shippedFolder = () => join(packageRoot(), 'fixtures/verdicts')

/** Returns the name of the file with the verdicts of a basis. */
export const shippedFile = ({ node, python }: Pick<VerdictsBasis, 'node' | 'python'>): string =>
  `node-${node}${python === null ? '' : `-python-${python}`}.jsonl.gz`

/** Whether verdicts of a task depend on Python. */
const languageOf = ({ spec }: Pick<Task, 'spec'>): 'with Python' | 'without' =>
  spec.requires.includes('python3') ? 'with Python' : 'without'
