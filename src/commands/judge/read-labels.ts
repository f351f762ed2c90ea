import { readRecords } from '../../loop/record/records.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { readCsv } from '../../suites/files/read-csv.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'

/** Labels by trial id, and how many rows had none yet. */
interface Labels {
  byTrial: Map<string, boolean>
  empty: number
}

const words: Readonly<Record<string, boolean>> = {
  ...{ pass: true, passed: true, yes: true, true: true, '1': true },
  ...{ fail: false, failed: false, no: false, false: false, '0': false },
}

/** Most problems of a file that are reported. */
const mostProblems = 20

/**
 * Reads a CSV of labels: a column `label` (pass or fail, yes or no, 1 or 0; empty: not labelled yet), and either `trial`, or `task` and
 * `method`, and `epoch` where there are several. Other columns are left alone. The delimiter is that of the headings. Throws `UserError`
 * with the line of each problem.
 */
export async function readLabels(path: string, records: readonly TrialRecord[]): Promise<Labels> {
  const problems: Problem[] = []
  const rows = await readRows(path, problems)
  const byTrial = new Map<string, boolean>()
  let empty = 0
  const find = findTrial(records)
  for (const { row, line } of rows) {
    const text = row.label?.trim().toLowerCase() ?? ''
    if (text === '') {
      empty++
      continue
    }
    const where = `${path}:${line}`
    const found = find(row)
    const label = words[text]
    if ('what' in found) problems.push({ where, ...found })
    else if (label === undefined)
      problems.push({
        where,
        what: `has the label ${JSON.stringify(shorten(text, 40))}`,
        fix: 'Write pass or fail (also yes or no, 1 or 0), or leave it empty.',
      })
    else if (byTrial.has(found.trial))
      problems.push({ where, what: 'labels a trial a second time', fix: 'Keep one row for each trial.' })
    else byTrial.set(found.trial, label)
  }
  if (problems.length > 0) throw new UserError(problems.slice(0, mostProblems))
  return { byTrial, empty }
}

type Row = Readonly<Record<string, string | undefined>>

async function readRows(path: string, problems: Problem[]): Promise<{ row: Row; line: number }[]> {
  const { columns, rows } = await readCsv(path)
  const heads = columns.map((head) => head.toLowerCase())
  const has = (...names: string[]) => names.every((name) => heads.includes(name))
  if (!has('label') || !(has('trial') || has('task', 'method')))
    throw new UserError({
      where: path,
      what: `has the columns ${shorten(heads.join(', '), 200)}`,
      fix: 'It needs `label`, and `trial` or `task` and `method` (and `epoch`). bench judge sample RUN writes such a file.',
    })
  const read: { row: Row; line: number }[] = []
  for await (const one of rows)
    if ('problem' in one) problems.push({ where: `${path}:${one.line}`, ...one.problem })
    else
      read.push({
        row: Object.fromEntries(heads.map((head, i) => [head, one.cells[i]?.trim()])),
        line: one.line,
      })
  return read
}

function findTrial(records: readonly TrialRecord[]) {
  const ids = new Set(records.map(({ trial }) => trial))
  return (row: Row): { trial: string } | Omit<Problem, 'where'> => {
    if (row.trial) {
      return ids.has(row.trial)
        ? { trial: row.trial }
        : {
            what: `names the trial ${shorten(row.trial, 40)}, which judges of this run have not scored`,
            fix: 'Correct the id, or remove the row.',
          }
    }
    const { task, method, epoch } = row
    const found = records.filter(
      (one) =>
        one.task === task &&
        (one.method === method || rowName(one.method, one.agentSet) === method) &&
        (!epoch || String(one.epoch) === epoch),
    )
    if (found.length === 1) return { trial: (found[0] as TrialRecord).trial }
    const named = [task, method, epoch && `epoch ${epoch}`].filter(Boolean).join(', ')
    return found.length === 0
      ? { what: `names no judged trial: ${shorten(named, 80)}`, fix: 'Correct task, method and epoch.' }
      : {
          what: `names ${found.length} trials: ${shorten(named, 80)}`,
          fix: 'Add the column epoch, or trial.',
        }
  }
}

/** Returns the graded trials of a run whose work judges have scored. Throws `UserError` if no trial was judged. */
export function judgedRecords(folder: string): TrialRecord[] {
  const judged = [...readRecords(folder)].filter(
    ({ passed, scores }) => passed !== null && scores.some(({ judges }) => judges !== undefined),
  )
  if (judged.length > 0) return judged
  throw new UserError({
    where: folder,
    what: 'has no trial that judges have scored',
    fix: 'Name a run of tasks with a grader of kind rubric: see bench help open-answers.',
  })
}
