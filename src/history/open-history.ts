import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { loadPeers } from '../base/load-package.ts'
import { packageRoot } from '../base/package-root.ts'
import { runFiles } from '../loop/journal/run-files.ts'
import { UserError } from '../text/errors.ts'
import type { FoundHistory } from './find-history.ts'
import type { RunFacts } from './run-facts.ts'

/** What DuckDB gives for a row: numbers, texts, and lists of texts; null for what is unknown. */
export type SqlRow = Readonly<Record<string, unknown>>

/** The views of a history, open in DuckDB. */
export interface OpenHistory {
  /** Returns all rows of a query over the views. */
  query(sql: string, values?: Readonly<Record<string, string>>): Promise<SqlRow[]>
  /** Returns all trials of the query `export` as the text of a file, which is quicker than row by row. A text that a spreadsheet would read as a formula gets an apostrophe in CSV. */
  file(sql: string, format: 'csv' | 'json'): Promise<string>
  /** Reads the records once for several queries. */
  keep(): Promise<void>
  close(): void
}

/** The version that is tested; an optional peer of the package. */
const peer = '@duckdb/node-api'

/** Opens the views of a history. Throws `UserError` if DuckDB is not installed. */
export async function openHistory(history: FoundHistory): Promise<OpenHistory> {
  const { DuckDBInstance } = loadDuckDb()
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', memory_limit: '200MB' })
  const connection: DuckDBConnection = await instance.connect()
  const close = () => {
    connection.closeSync()
    instance.closeSync()
  }
  try {
    await connection.run(viewsSql(history))
  } catch (error) {
    close()
    throw error
  }
  return {
    async query(sql, values = {}) {
      try {
        const reader = await connection.runAndReadAll(sql, values)
        return reader.getRowObjectsJS()
      } catch (error) {
        if (!/^IO Error/.test((error as Error).message)) throw error
        throw goneMeanwhile(history.folder, error as Error)
      }
    },
    async file(sql, format) {
      const folder = mkdtempSync(join(tmpdir(), 'bench-history-'))
      try {
        const path = join(folder, 'rows')
        const how = format === 'json' ? 'format json, array true' : 'format csv, header'
        await connection.run(
          `copy (select ${format === 'json' ? '*' : plainTexts} from (${sql})) to ${quoted(path)} (${how})`,
        )
        return readFileSync(path, 'utf8')
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    async keep() {
      await connection.run(
        'create temp table kept as from trials; create or replace view trials as from kept',
      )
    },
    close,
  }
}

const loadDuckDb = () =>
  loadPeers(
    [peer],
    'bench history',
    (problem) => new UserError(problem),
  )[0] as typeof import('@duckdb/node-api')

/** Columns whose texts people write. */
const texts = ['run', 'note', 'suite', 'task', 'method', 'agent_set', 'agents', 'claimed']
const plainTexts = `* replace (${texts.map((name) => String.raw`regexp_replace(${name}, '^([=+@\t\r-])', '''\1') as ${name}`).join(', ')})`

const goneMeanwhile = (where: string, { message }: Error) =>
  new UserError({
    where,
    what: `was changed while it was read: ${message.split('\n', 1)[0]}`,
    fix: 'Call bench history again.',
  })

/** The text of an SQL file. */
export const sqlOf = (name: string): string =>
  readFileSync(join(packageRoot(), 'src/history/sql', `${name}.sql`), 'utf8')

const spent = `STRUCT("input" DOUBLE, "output" DOUBLE, cached DOUBLE, costUsd DOUBLE, listCostUsd DOUBLE, unknownListCost DOUBLE, calls DOUBLE, checks DOUBLE, unreportedTokens DOUBLE, unreportedCost DOUBLE, unreportedCached DOUBLE)`

/** Explicit columns: a type that is guessed changes from run to run, and costs three times as much. */
const recordColumns = {
  ...{ trial: 'VARCHAR', task: 'VARCHAR', suite: 'VARCHAR', method: 'VARCHAR', agents: 'JSON' },
  ...{ agentSet: 'VARCHAR', epoch: 'DOUBLE', outcome: 'STRUCT(status VARCHAR)', claimed: 'VARCHAR' },
  ...{ passed: 'BOOLEAN', score: 'DOUBLE', spent, iterations: 'DOUBLE', durationMs: 'DOUBLE' },
  ...{ faults: 'VARCHAR', wall: 'STRUCT(startedAt VARCHAR)' },
  state:
    'STRUCT(machine STRUCT(visits STRUCT(state VARCHAR, runs STRUCT(agent VARCHAR)[])[], scores STRUCT(auditor VARCHAR, target VARCHAR, criterion VARCHAR, score DOUBLE)[]))',
}

/** Bytes of a line of a ledger, in which long texts are names of blobs. */
const longestStep = 1 << 24

const stepColumns = {
  ...{ trial: 'VARCHAR', kind: 'VARCHAR', payer: 'VARCHAR', role: 'VARCHAR', agent: 'VARCHAR' },
  ...{ costUsd: 'DOUBLE', tokens: 'STRUCT("input" DOUBLE, "output" DOUBLE)' },
}

/** Returns the views of a history as SQL: over the files of its runs as they are now, without an import. */
function viewsSql({ folder, runs, plans }: FoundHistory): string {
  const fileOf = (run: RunFacts, file: string) => resolve(folder, run.run, file)
  const recorded = runs.filter((run) => run.recorded > 0)
  const longest = runs.reduce((most, run) => Math.max(most, run.longest), 1 << 20)
  const ledgers = recorded.map((run) => fileOf(run, runFiles.steps)).filter((file) => existsSync(file))
  const records = recorded.map((run) => fileOf(run, runFiles.records))
  const tails = recorded.flatMap((run) =>
    run.tail === undefined ? [] : [[fileOf(run, runFiles.records), run.tail]],
  )
  return [
    values(
      'runs',
      ['file', 'ledger', 'run', 'created_at', 'kind', 'note', 'plan', 'first_set'],
      recorded.map((run) => [
        ...[fileOf(run, runFiles.records), fileOf(run, runFiles.steps), run.run, run.createdAt, run.kind],
        ...[run.note ?? null, run.plan, run.firstSet ?? null],
      ]),
      '* replace (created_at::timestamp as created_at)',
    ),
    values(
      'roles',
      ['run', 'method', 'agent_set', 'role', 'agent'],
      recorded.flatMap(({ run, roles }) =>
        roles.map(({ method, set, role, agent }) => [run, method, set, role, agent]),
      ),
    ),
    values('task_versions', ['plan', 'task', 'name'], versionsOf(plans)),
    // A last line without its newline is not there for the readers of bench.
    values('tails', ['file', 'trial'], tails),
    `create or replace view records as select * from ${jsonFiles(records, recordColumns, longest)} where trial is not null and (file, trial) not in (from tails);`,
    `create or replace view steps as select r.run, s.* exclude (file) from ${jsonFiles(ledgers, stepColumns, longestStep)} s join runs r on r.ledger = s.file where trial is not null;`,
    sqlOf('views'),
  ].join('\n\n')
}

/** Returns the tasks of which the plans have several versions, each with a name of its own. */
function versionsOf(plans: FoundHistory['plans']): string[][] {
  const digests = new Map<string, Set<string>>()
  for (const tasks of Object.values(plans))
    for (const { ref, digest } of tasks) digests.set(ref, (digests.get(ref) ?? new Set()).add(digest))
  return Object.entries(plans).flatMap(([plan, tasks]) =>
    tasks.flatMap(({ ref, digest }) =>
      (digests.get(ref)?.size ?? 0) > 1 && !ref.endsWith(`@${digest}`)
        ? [[plan, ref, `${ref}@${digest}`]]
        : [],
    ),
  )
}

const quoted = (text: string | null): string =>
  text === null ? 'null::varchar' : `'${text.replaceAll("'", "''")}'`

function values(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly (string | null)[])[],
  select = '*',
): string {
  const lines = rows.map((row) => `(${row.map(quoted).join(', ')})`)
  // Without a row there is nothing to tell the types from.
  const none = `(${columns.map(() => 'null::varchar').join(', ')})`
  return `create or replace view ${name} as select ${select} from (values\n${(lines.length > 0 ? lines : [none]).join(',\n')}) as t(${columns.join(', ')})${lines.length > 0 ? '' : ' where false'};`
}

function jsonFiles(
  files: readonly string[],
  columns: Readonly<Record<string, string>>,
  longest: number,
): string {
  const typed = Object.entries(columns).map(([name, type]) => `"${name}": '${type.replaceAll("'", "''")}'`)
  if (files.length === 0)
    return `(select ${Object.entries(columns)
      .map(([name, type]) => `null::${type} as "${name}"`)
      .join(', ')}, null::varchar as file where false)`
  return `read_json([${files.map((file) => quoted(literalGlob(file))).join(', ')}], format = 'newline_delimited', columns = {${typed.join(', ')}}, filename = 'file', ignore_errors = true, maximum_object_size = ${longest + 1024})`
}

/** DuckDB reads a name of a file as a pattern. */
const literalGlob = (path: string): string => path.replace(/[[*?]/g, '[$&]')

/** Returns the views as SQL for a person's own DuckDB, and one query over them if it is named. */
export function sqlText(history: FoundHistory, query?: string): string {
  const head = `-- The records of ${history.runs.length} runs in ${resolve(history.folder)}, read where they are. Make it again after a new run.`
  return `${[head, viewsSql(history), ...(query === undefined ? [] : [`${sqlOf(query).trim()};`])].join('\n\n')}\n`
}
