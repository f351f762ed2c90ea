import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'

/** Labels by trial id, and how many rows had none yet. */
export interface Labels {
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
 * `method`, and `epoch` where there are several. Other columns are left alone. Throws `UserError` with the line of each problem.
 */
export function readLabels(path: string, records: readonly TrialRecord[]): Labels {
  const rows = readRows(path)
  const problems: Problem[] = []
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

function readRows(path: string): { row: Row; line: number }[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError({
      where: `--labels ${path}`,
      what: `cannot be read (${code})`,
      fix: 'Name a CSV file.',
    })
  }
  try {
    const parsed = parse(text, {
      ...{ bom: true, info: true, skip_empty_lines: true, trim: true },
      columns: (heads: string[]) => heads.map((head) => head.trim().toLowerCase()),
    }) as unknown as { record: Row; info: { lines: number } }[]
    const heads = Object.keys(parsed[0]?.record ?? {})
    if (
      !heads.includes('label') ||
      !(heads.includes('trial') || (heads.includes('task') && heads.includes('method')))
    )
      throw new UserError({
        where: path,
        what: `has the columns ${heads.join(', ') || '(none)'}`,
        fix: 'It needs `label`, and `trial` or `task` and `method` (and `epoch`). bench judge sample RUN writes such a file.',
      })
    return parsed.map(({ record, info }) => ({ row: record, line: info.lines }))
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError({
      where: path,
      what: `is not CSV: ${(error as Error).message}`,
      fix: 'Save it as comma-separated values with one line of headings.',
    })
  }
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
