import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { execa } from 'execa'

/** A PostgreSQL of a test's own, on loopback. */
export interface Postgres {
  /** The database `bench` as its owner sees it, who is no superuser; with the password. */
  url: string
  password: string
  port: number
  /** Runs SQL as superuser in the database `bench`, and returns what psql prints: rows by line, columns by `|`. */
  sql(text: string): Promise<string>
  /** All that the database holds, as SQL. */
  dump(): Promise<string>
  /** All that the server has logged. */
  log(): string
  /** Ends the server at once, as a fault does: `kill` is kill -9 of its first process, `immediate` a stop without a checkpoint. */
  crash(how?: 'kill' | 'immediate'): Promise<void>
  /** Starts it again after a crash or a stop, on the same port, and waits until it has recovered. */
  restart(): Promise<void>
  /** Ends the server in good order and removes its files. */
  stop(): Promise<void>
}

/** The folder with the server's programs, the newest version first: Debian keeps them off the PATH. Undefined: there are none. */
export function postgresPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return folders.find((folder) =>
    ['initdb', 'postgres', 'psql', 'pg_dump'].every((name) => existsSync(join(folder, name))),
  )
}

/**
 * Starts a PostgreSQL in a temporary folder: on a free port of loopback, with passwords (SCRAM) and with fsync. It refuses to run as
 * root, so root gives it to another user. Whoever starts it calls `stop`; nothing that others have started is touched.
 */
export async function startPostgres(): Promise<Postgres> {
  const bin = postgresPrograms() ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'))
  const [data, log, passwords] = ['data', 'log', 'passwords'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? serverUser() : undefined
  const [password, superPassword] = [randomBytes(12).toString('hex'), randomBytes(12).toString('hex')]
  writeFileSync(passwords, superPassword)
  writeFileSync(log, '')
  if (user) for (const path of [folder, log, passwords]) chownSync(path, user.uid, user.gid)
  const env = { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C' }
  const options = [
    '--auth=scram-sha-256',
    `--pwfile=${passwords}`,
    '--username=keeper',
    '--encoding=UTF8',
    '--no-sync',
  ]
  const port = await freePort()
  let server: ChildProcess | undefined
  const readLog = () => readFileSync(log, 'utf8')

  /** A server that was killed may still have processes, which end as soon as they see it; until then another one does not start. */
  const start = async () => {
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'fsync=on',
      'shared_buffers=32MB',
    ]
    for (;;) {
      const from = readLog().length
      const output = openSync(log, 'a')
      const child = spawn(
        join(bin, 'postgres'),
        ['-D', data, '-p', `${port}`, ...settings.flatMap((text) => ['-c', text])],
        { ...user, env, cwd: folder, stdio: ['ignore', output, output] },
      )
      while (child.exitCode === null && !readLog().slice(from).includes('ready to accept connections'))
        await soon()
      server = child
      if (child.exitCode === null) return
      const said = readLog().slice(from)
      if (!/still in use|lock file .* already exists/.test(said))
        throw new Error(`PostgreSQL did not start: ${said}`)
      await soon()
    }
  }
  const end = async (signal: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  const client = async (program: string, database: string, args: readonly string[]) => {
    const place = { PGHOST: '127.0.0.1', PGPORT: `${port}`, PGUSER: 'keeper', PGDATABASE: database }
    const { stdout } = await execa(join(bin, program), args, {
      env: { ...env, ...place, PGPASSWORD: superPassword },
      extendEnv: false,
    })
    return stdout
  }
  const psql = (database: string, text: string) =>
    client('psql', database, [
      '--no-psqlrc',
      '--tuples-only',
      '--no-align',
      '-v',
      'ON_ERROR_STOP=1',
      '-c',
      text,
    ])

  const stop = async () => {
    await end('SIGINT')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    execFileSync(join(bin, 'initdb'), [...options, '-D', data], { ...user, env, cwd: folder, stdio: 'pipe' })
    rmSync(passwords)
    await start()
    await psql('postgres', `create role bench login password '${password}'`)
    await psql('postgres', 'create database bench owner bench')
  } catch (error) {
    await stop()
    throw error
  }
  return {
    ...{ url: `postgres://bench:${password}@127.0.0.1:${port}/bench`, password, port, log: readLog, stop },
    sql: (text) => psql('bench', text),
    dump: () => client('pg_dump', 'bench', []),
    crash: (how = 'kill') => end(how === 'kill' ? 'SIGKILL' : 'SIGQUIT'),
    restart: start,
  }
}

/** The user that Debian's package makes, else the one that every system has: initdb wants one with a name. */
export function serverUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const [, , uid, gid] =
    ['postgres', 'nobody'].flatMap((name) => users.filter(([of]) => of === name))[0] ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20))

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
