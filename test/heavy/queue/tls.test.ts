import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { recordsOf, startBench } from '../../helpers/runs/cli.ts'
import { type Postgres, serverUser, startPostgres } from '../../helpers/servers/postgres.ts'
import { isPut, ok } from './worked.ts'

/** Makes a CA, another one, and a certificate of the first for a host. */
async function makeCertificates(folder: string, host: string): Promise<void> {
  const openssl = (line: string) => execa('openssl', argv`${line.split(' ')}`, { cwd: folder })
  const key = (name: string) => `-newkey rsa:2048 -nodes -keyout ${name}.key`
  for (const ca of ['ca', 'other'])
    await openssl(`req -x509 ${key(ca)} -out ${ca}.pem -subj /CN=${ca} -days 2`)
  await openssl(`req ${key('server')} -out server.csr -subj /CN=${host}`)
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${host}`)
  const from = '-CA ca.pem -CAkey ca.key -CAcreateserial -extfile names'
  await openssl(`x509 -req -in server.csr ${from} -days 2 -out server.pem`)
}

needs('postgres', 'openssl').describe('a database with a certificate of a CA of one’s own', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())

  it('is taken with its CA, by the command that is told, too; another CA, another host and no file are refused', {
    timeout: 90_000,
  }, async () => {
    const folder = tempFolder()
    // The server is another user.
    chmodSync(folder, 0o755)
    await makeCertificates(folder, 'localhost')
    const user = process.getuid?.() === 0 ? serverUser() : undefined
    if (user) chownSync(join(folder, 'server.key'), user.uid, user.gid)
    for (const setting of [
      `ssl_cert_file = '${join(folder, 'server.pem')}'`,
      `ssl_key_file = '${join(folder, 'server.key')}'`,
      'ssl = on',
    ])
      await postgres.sql(`alter system set ${setting}`)
    await postgres.sql('select pg_reload_conf()')
    const share = join(folder, 'share')
    mkdirSync(share)
    const url = (host: string, ca: string) =>
      `postgres://bench@${host}:${postgres.port}/bench?sslmode=verify-full&sslrootcert=${join(folder, ca)}`
    const start = (word: string, queue: string, ...more: string[]) =>
      startBench([word, '--queue', queue, '--share', share, ...more], {
        env: { PGPASSWORD: postgres.password },
      })
    for (const [queue, line] of [
      [
        url('localhost', 'other.pem'),
        /cannot be reached with TLS: .*certificate.*\. Name the certificate of the CA with sslrootcert=FILE/,
      ],
      [
        url('127.0.0.1', 'ca.pem'),
        /has the certificate of another host: .*127\.0\.0\.1 is not in the cert's list.*\. Write the host in the URL as/,
      ],
      [
        url('localhost', 'none.pem'),
        /cannot be used: .*none\.pem, and there is no such file\. Name a file with the certificate of the CA/,
      ],
      [
        url('localhost', 'server.csr'),
        /sslrootcert names .*server\.csr, which holds no certificate of the CA\./,
      ],
      [
        url('localhost', 'ca.pem').replace(/=[^=]*$/, '=system'),
        /cannot be reached with TLS: .*\. Name the certificate of the CA/,
      ],
    ] as const) {
      const { code, stdout, stderr } = await start('work', queue).ended
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr.split('\n')).toHaveLength(1)
      expect(stderr).toMatch(line)
    }
    const plan = argv`--tasks ferry-morning --methods baseline --quiet --out ${join(share, 'run')}`
    const run = start('run', url('localhost', 'ca.pem'), ...plan)
    await isPut(run)
    expect(
      await postgres.sql(
        "select count(*) > 0 and bool_and(ssl) from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'bench'",
      ),
    ).toBe('t')
    // The command that is told has all that a worker needs, as it can be pasted.
    run.kill('SIGINT')
    const [, told = ''] = /Resume with: bench run (.*)$/m.exec((await run.ended).stderr) ?? []
    expect(told).toMatch(/ --queue '?postgres:\S+sslmode=verify-full&sslrootcert=/)
    const again = await execa('/bin/sh', ['-c', `echo ${told}`])
    const resumed = startBench([...again.stdout.split(' '), '--quiet'], {
      env: { PGPASSWORD: postgres.password },
    })
    await isPut(resumed)
    await ok(start('work', url('localhost', 'ca.pem')))
    await ok(resumed)
    expect(recordsOf(join(share, 'run'))).toHaveLength(1)
  })
})
