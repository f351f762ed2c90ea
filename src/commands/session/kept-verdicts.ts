import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  basisDifference,
  readVerdicts,
  verdictsBasis,
  writeVerdicts,
} from '../../graders/verdicts/verdict-file.ts'
import { createVerdicts, type Verdicts, type VerdictsPart } from '../../graders/verdicts/verdicts.ts'
import { withStorageErrors } from '../../loop/journal/storage.ts'
import { counted } from '../../reports/words/numbers.ts'
import type { Verdict } from '../../schema/ledger/verdict.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { RunOptions } from '../config/run-options.ts'

/** The options of a session on verdicts, and the file of a run that goes on. */
interface VerdictsRequest extends Pick<RunOptions, 'verdicts' | 'updateVerdicts' | 'proveVerdicts'> {
  /** Base of a relative path. */
  cwd: string
  /** The run goes on: a file that is gone does not stop it. */
  goesOn?: boolean
}

/**
 * Opens the file of verdicts that a session uses; undefined if there is none. A file of another machine is not used, and a warning says
 * why. Throws `UserError` if the file cannot be read.
 */
export async function openVerdicts(
  { verdicts: file, updateVerdicts = false, proveVerdicts, cwd, goesOn = false }: VerdictsRequest,
  onWarning: (message: string) => void,
): Promise<Verdicts | undefined> {
  if (file === undefined) {
    const given = [updateVerdicts && '--update-verdicts', proveVerdicts !== undefined && '--prove-verdicts']
    const problems = given.flatMap((flag) => (flag === false ? [] : [lacksFile(flag)]))
    if (problems.length > 0) throw new UserError(problems)
    return undefined
  }
  const path = resolve(cwd, file)
  const basis = await verdictsBasis()
  const whole = (verdicts: readonly Verdict[]) =>
    withStorageErrors(path, () => writeVerdicts(path, basis, verdicts))
  const kept = {
    file,
    proved: proveVerdicts === undefined ? undefined : parsePart(proveVerdicts),
    write: updateVerdicts ? whole : undefined,
  }
  if (!existsSync(path) && (updateVerdicts || goesOn)) {
    if (updateVerdicts && !existsSync(dirname(path))) throw new UserError(noFolder(file))
    if (!updateVerdicts) onWarning(`--verdicts: ${file} does not exist any more; all code is run`)
    return createVerdicts({ ...kept, read: undefined })
  }
  const read = await readVerdicts(path)
  const difference = basisDifference(read.basis, basis)
  if (difference === undefined) return createVerdicts({ ...kept, read })
  onWarning(
    `--verdicts: ${file} ${difference}; none of its ${counted(read.verdicts.size, 'verdict')} is used, and all code is run`,
  )
  return createVerdicts({ ...kept, read: undefined })
}

const lacksFile = (flag: string): Problem => ({
  where: flag,
  what: 'names no file of verdicts',
  fix: 'Add --verdicts FILE, such as --verdicts verdicts.jsonl.gz.',
})

const noFolder = (file: string): Problem => ({
  where: `--verdicts ${file}`,
  what: 'lies in a folder that does not exist',
  fix: 'Create the folder, or correct the path.',
})

/** Parses `1/10`, the first of ten parts, or `all`. */
function parsePart(text: string): VerdictsPart {
  if (text === 'all') return { part: 1, of: 1 }
  const [, part = 0, of = 0] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text)?.map(Number) ?? []
  if (part >= 1 && part <= of) return { part, of }
  throw new UserError({
    where: `--prove-verdicts ${text}`,
    what: 'is no part of the verdicts',
    fix: 'Write for example 1/10, the first of ten parts, or all.',
  })
}
