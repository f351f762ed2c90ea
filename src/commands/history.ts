import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { findHistory } from '../history/find-history.ts'
import { sqlText } from '../history/open-history.ts'
import { answerQuery, exportTrials, type QueryName, queryNamed, requireTask } from '../history/queries.ts'
import { type Format, formats, renderAnswer } from '../history/tables.ts'
import { historyNotes } from '../history/words.ts'
import { runFiles } from '../loop/journal/run-files.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { withNear } from '../text/near-word.ts'
import { refuseFolder, runFileProblem, writeOut } from './terminal/output-file.ts'
import { reportNote } from './terminal/report-error.ts'
import { terminalWidth } from './terminal/terminal-width.ts'

interface HistoryOptions {
  in: string
  format?: string
  json?: boolean
  out?: string
  html?: string
  sql?: boolean
}

/**
 * `bench history [name] [task]`: answers a question about all runs in a folder, as text, CSV or JSON; with `--html` as a page, with `--sql` prints
 * the views. The runs that do not count are said on stderr.
 */
export default async function history(
  name: string | undefined,
  task: string | undefined,
  options: HistoryOptions,
): Promise<number> {
  const query = queryNamed(name ?? 'agents')
  const format = requireFormat(query, task, options)
  if (options.html !== undefined) {
    await writePage(options.in, options.html)
    return 0
  }
  const found = findHistory(options.in)
  for (const note of historyNotes(found)) reportNote(note)
  if (query === 'task') requireTask(task ?? '', found)
  if (options.sql) writeOut(sqlText(found, name === undefined ? undefined : query), options.out)
  else if (query === 'export')
    writeOut(await exportTrials(found, format === 'json' ? 'json' : 'csv'), options.out)
  else {
    const answer = await answerQuery(query, found, task)
    // A file is the same whichever terminal wrote it.
    const width = options.out === undefined ? terminalWidth() : undefined
    writeOut(renderAnswer(answer, { query, format, found, width }), options.out)
  }
  return 0
}

/** Writes the page, which leads to what each run has for a browser: its page, else its summary, else its folder. */
async function writePage(folder: string, file: string): Promise<void> {
  // The drawing libraries are large, so they are loaded on demand.
  const [{ historyData }, { historyAssets, renderHistoryPage }, { readAssets }] = await Promise.all([
    import('../history/history-data.ts'),
    import('../history/page.ts'),
    import('./report/page-assets.ts'),
  ])
  const data = await historyData(folder)
  for (const note of data.notes) reportNote(note)
  const hrefOf = (run: string) => {
    const named = ['run.html', runFiles.summary].find((name) => existsSync(join(folder, run, name))) ?? ''
    const path = relative(dirname(resolve(file)), resolve(folder, run, named)).split(sep)
    return path.map(encodeURIComponent).join('/')
  }
  writeOut(renderHistoryPage(data, readAssets(historyAssets), hrefOf), file)
  reportNote(`the page is in ${file}`)
}

/** Returns the format, checked against the other arguments. Throws `UserError` with every conflict. */
function requireFormat(query: QueryName, task: string | undefined, options: HistoryOptions): Format {
  const {
    json,
    out,
    html,
    sql,
    format: typed = json ? 'json' : query === 'export' ? 'csv' : 'text',
  } = options
  const format = formats.find((one) => one === typed)
  const problems: Problem[] = []
  const add = (where: string, what: string, fix: string) => problems.push({ where, what, fix })
  if (format === undefined)
    add(
      `--format ${typed}`,
      'is not a format of bench history',
      withNear(typed, formats, 'Use text, csv or json.'),
    )
  if (query === 'export' && format === 'text')
    add('--format text', 'does not apply to the query export', 'Use --format csv or json.')
  if (query === 'task' && task === undefined)
    add('bench history task', 'does not say which task', 'Write bench history task TASK. See bench tasks.')
  if (query !== 'task' && task !== undefined)
    add(`bench history ${query} ${task}`, `${query} takes no task`, `Leave out ${task}.`)
  if (html !== undefined && sql)
    add('--html --sql', 'conflict: each is an output of its own', 'Use one of them.')
  if (html !== undefined && (out !== undefined || options.format !== undefined || json))
    add(
      '--html',
      'names the file of the page, and has a format of its own',
      'Leave out --out, --format and --json.',
    )
  for (const [flag, file] of [
    ['--out', out],
    ['--html', html],
  ] as const)
    if (file !== undefined) problems.push(...[runFileProblem(flag, file) ?? []].flat())
  if (problems.length > 0) throw new UserError(problems)
  refuseFolder(out ?? html, html === undefined ? 'history.csv' : 'history.html')
  return format ?? 'text'
}
