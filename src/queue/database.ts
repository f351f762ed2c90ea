import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig, PoolClient, PoolConfig, QueryResultRow } from 'pg'
import { loadPeers } from '../base/load-package.ts'
import { UserError } from '../text/errors.ts'
import { explained, isLostConnection, problem } from './database-faults.ts'
import { checkTlsFiles, readUrl } from './database-url.ts'

/** An open PostgreSQL database with the tables of bench. Each failure is one `UserError` line without a password. */
export interface Database {
  /** How messages and commands name the database: the URL without its password. */
  name: string
  /** How a further client reaches it. It holds the password. */
  config: Pick<
    PoolConfig,
    'connectionString' | 'connectionTimeoutMillis' | 'keepAlive' | 'application_name' | 'options' | 'Client'
  >
  /**
   * Runs one statement and returns its rows. A lost connection is tried again for a minute, so the statement may take effect twice: it
   * must be safe to repeat.
   */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Runs statements that take effect together or not at all. They too may run again, after a commit whose answer was lost as well. */
  transaction<Result>(run: (client: Pick<Database, 'query'>) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** The schema of bench and of the engine of the queue, which a database keeps apart from what else it holds. */
export const schemaName = 'orchestration_bench'

const schemaVersion = 1
const oldestServer = 14

/** Names stand in the schema beside those of the engine. */
const tables = `
  create table bench_version (version integer not null);
  insert into bench_version values (${schemaVersion});
  create table bench_run (
    run text primary key, folder text not null, mark text not null default '',
    queues text[] not null default '{}',
    put_at timestamptz not null default now()
  );
  create table bench_limit (
    run text not null references bench_run on delete cascade, method text not null, unit text not null,
    amount bigint not null, share bigint not null, began timestamptz not null,
    spent bigint not null default 0, most bigint not null default 0, known boolean not null default false,
    primary key (run, method, unit)
  );
  create table bench_allowance (
    run text not null, method text not null, unit text not null, block integer not null, holder text not null,
    spent bigint not null, reserved bigint not null, renewed timestamptz not null default clock_timestamp(),
    primary key (run, method, unit, block),
    foreign key (run, method, unit) references bench_limit on delete cascade
  );
  create index on bench_allowance (run) where reserved > 0;
`

/** Whatever the server, the database or the user has set otherwise. */
const sessionSettings = {
  // A worker that is suspended amid a transaction must not keep the others waiting for its locks, for which they wait longer.
  idle_in_transaction_session_timeout: '5000',
  statement_timeout: '0',
  lock_timeout: '0',
  default_transaction_isolation: 'read committed',
}

const connectMs = 10_000
const patienceMs = 60_000
const pauseMs = 500

/**
 * Opens a database, and makes or checks the schema of bench in it. A password stands in the URL or, better, in PGPASSWORD. Throws
 * `UserError`, in one line, for whatever keeps it from being used; one that cannot be reached may come back for `waitMs`.
 */
export async function openDatabase(url: string, waitMs = 0): Promise<Database> {
  const { name, connectionString } = readUrl(url)
  await checkTlsFiles(name, connectionString)
  const [pg] = loadPeers(['pg', 'bullmq'], '--queue', (problem) => new UserError(problem)) as [
    typeof import('pg'),
  ]
  // Whoever holds a client while its connection ends, such as the engine, may listen to no errors; its next statement fails.
  let newest: { end(): Promise<void> } | undefined
  class Client extends pg.Client {
    constructor(options?: ClientConfig) {
      super(options)
      this.on('error', ignored)
      newest = this
    }
  }
  const config = {
    ...{ connectionString, connectionTimeoutMillis: connectMs, Client },
    ...{ keepAlive: true, application_name: 'bench' },
    options: Object.entries(sessionSettings)
      .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
      .join(' '),
  }
  const options = `${config.options} -c search_path=${schemaName}`
  const pool = new pg.Pool({ ...config, max: 4, options })
  // The next statement tells it.
  pool.on('error', () => {})
  const onClient = async <Result>(run: (client: PoolClient) => Promise<Result>): Promise<Result> => {
    const client = await pool.connect()
    let fault: Error | undefined
    try {
      return await run(client)
    } catch (error) {
      fault = error as Error
      throw error
    } finally {
      client.release(fault !== undefined && isLostConnection(fault))
    }
  }
  try {
    await patiently(name, () => onClient((client) => readySchema(name, client)), waitMs)
  } catch (error) {
    // One that lacks a password leaves its connection open, and the pool does not know it.
    newest?.end().catch(ignored)
    await pool.end()
    throw explained(name, error)
  }
  return {
    ...{ name, config },
    query: (text, values) => patiently(name, () => onClient((client) => rowsOf(client, text, values))),
    transaction: (run) =>
      patiently(name, () =>
        onClient((client) =>
          inTransaction(client, () => run({ query: (...query) => rowsOf(client, ...query) })),
        ),
      ),
    close: () => pool.end(),
  }
}

/**
 * Does something with a database, which messages call `name`, again and again while its connection is lost, by default for a minute. Throws `UserError`
 * for each failure of the database.
 */
export async function patiently<Result>(
  name: string,
  act: () => Promise<Result>,
  forMs = patienceMs,
): Promise<Result> {
  const until = performance.now() + forMs
  for (;;)
    try {
      return await act()
    } catch (error) {
      if (!isLostConnection(error) || performance.now() > until) throw explained(name, error)
      await sleep(pauseMs)
    }
}

const ignored = () => {}

async function rowsOf<Row extends QueryResultRow>(
  client: PoolClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await client.query<Row>(text, [...values])
  return rows
}

async function inTransaction<Result>(client: PoolClient, run: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    const result = await run()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(ignored)
    throw error
  }
}

async function readySchema(name: string, client: PoolClient): Promise<void> {
  const [server] = await rowsOf<{ version: string; number: number; encoding: string }>(
    client,
    "select current_setting('server_version') as version, current_setting('server_version_num')::int as number, current_setting('server_encoding') as encoding",
  )
  if (server && server.number < oldestServer * 10_000)
    throw problem(
      name,
      `is PostgreSQL ${server.version}, which is too old`,
      `Use PostgreSQL ${oldestServer} or newer.`,
    )
  // Names may hold whatever characters there are.
  if (server && server.encoding !== 'UTF8')
    throw problem(
      name,
      `has the encoding ${server.encoding}, which cannot hold all names`,
      'Create another with createdb --encoding UTF8 --template template0 NAME.',
    )
  await inTransaction(client, async () => {
    // One process makes the schema; the others wait for it.
    await client.query('select pg_advisory_xact_lock(hashtext($1))', [schemaName])
    const [found] = await rowsOf<{ there: boolean; own: boolean }>(
      client,
      'select to_regnamespace($1) is not null as there, to_regclass($2) is not null as own',
      [schemaName, `${schemaName}.bench_version`],
    )
    if (!found?.there) await client.query(`create schema ${schemaName}; ${tables}`)
    else if (!found.own) throw unknownSchema(name, 'that is not of bench')
    const [row] = await rowsOf<{ version: number }>(
      client,
      'select max(version) as version from bench_version',
    )
    if (row?.version !== schemaVersion)
      throw unknownSchema(name, `of ${(row?.version ?? 0) > schemaVersion ? 'a newer' : 'an older'} bench`)
  })
}

const unknownSchema = (name: string, whose: string) =>
  problem(
    name,
    `holds a schema ${schemaName} ${whose}`,
    `Name another database. If nobody needs that schema: drop schema ${schemaName} cascade`,
  )
