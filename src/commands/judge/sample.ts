import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import { seededRandom, shuffled } from '../../base/random.ts'
import { openBlobs } from '../../loop/journal/blobs.ts'
import { unpackText } from '../../loop/journal/journal.ts'
import { counted } from '../../reports/words/numbers.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Task } from '../../schema/task.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { tryReadTasks } from '../open/find-trial.ts'
import { findRunFolder } from '../open/named-runs.ts'
import { openOwnRun } from '../open/open-run.ts'
import { writeOut } from '../terminal/output-file.ts'
import { say } from '../terminal/say.ts'
import { parseWholeNumber } from '../values/parse-values.ts'
import { judgedRecords, readLabels } from './read-labels.ts'

interface SampleOptions {
  n: string
  seed: string
  out?: string
  json?: boolean
}

/**
 * `bench judge sample RUN`: writes a CSV of judged trials, drawn at random and in random order, for a person to label. It names neither
 * methods nor agents nor verdicts, so that no label depends on them.
 */
export default async function sample(run: string, options: SampleOptions): Promise<number> {
  const problems: Problem[] = []
  const n = parseWholeNumber(problems, '--n', options.n, 60)
  const seed = parseWholeNumber(problems, '--seed', options.seed, 1, 0)
  if (options.json && options.out !== undefined)
    problems.push({
      where: `--json --out ${options.out}`,
      what: 'conflict: labels are written into a CSV',
      fix: 'Leave one of the two out.',
    })
  if (problems.length > 0) throw new UserError(problems)
  const folder = findRunFolder(run)
  const { manifest } = openOwnRun(folder, 'judged')
  const records = judgedRecords(folder)
  const answered = records.filter(({ answer }) => answer !== undefined)
  if (answered.length === 0)
    throw new UserError({
      where: folder,
      what: 'has no answers: its tasks want files',
      fix: 'Write the CSV yourself, with the columns trial and label, from bench show RUN TRIAL --full.',
    })
  const blobs = openBlobs(join(folder, 'blobs'))
  const tasks: ReadonlyMap<string, Task> = await tryReadTasks(folder, manifest)
  const drawn = shuffled(answered, seededRandom(`labels/${seed}`)).slice(0, n)
  const labels = await labelsToKeep(options.out, records, drawn)
  const rows = drawn.map(({ trial, task, answer = '' }) => [
    ...[trial, task, tasks.get(task)?.instruction ?? ''],
    ...[unpackText(answer, blobs), labels.get(trial) ?? ''],
  ])
  const heads = ['trial', 'task', 'instruction', 'answer', 'label']
  if (options.json) {
    const labelled = rows.map((row) => Object.fromEntries(heads.map((head, i) => [head, row[i]])))
    process.stdout.write(`${JSON.stringify(labelled, null, 2)}\n`)
    return 0
  }
  writeOut(stringify([heads, ...rows], { escape_formulas: true }), options.out)
  if (options.out !== undefined)
    say(
      `${counted(rows.length, 'trial')} to label in ${options.out}${rows.length < n ? ` (--n ${n}, but judges have scored no more answers)` : ''}${labels.size > 0 ? `, ${labels.size} of them labelled before` : ''}: write pass or fail into the column label`,
    )
  return 0
}

async function labelsToKeep(
  path: string | undefined,
  records: readonly TrialRecord[],
  drawn: readonly TrialRecord[],
): Promise<ReadonlyMap<string, string>> {
  if (path === undefined || !existsSync(path)) return new Map()
  const { byTrial } = await readLabels(path, records)
  const ids = new Set(drawn.map(({ trial }) => trial))
  const lost = [...byTrial.keys()].filter((trial) => !ids.has(trial))
  if (lost.length > 0)
    throw new UserError({
      where: `--out ${path}`,
      what: `has ${counted(lost.length, 'label')} of trials that this draw leaves out`,
      fix: 'Use a larger --n with the same --seed, or another file.',
    })
  return new Map([...byTrial].map(([trial, passed]) => [trial, passed ? 'pass' : 'fail']))
}
