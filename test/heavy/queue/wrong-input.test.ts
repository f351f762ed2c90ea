import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, startBench } from '../../helpers/runs/cli.ts'
import { onLoopback } from '../../helpers/servers/loopback.ts'
import { type Postgres, startPostgres } from '../../helpers/servers/postgres.ts'
import { createPlace, isPut, ok } from './worked.ts'

needs('postgres').describe(
  'a wrong queue or shared folder is refused in one line, before anything begins',
  () => {
    let postgres: Postgres
    const share = mkdtempSync(join(tmpdir(), 'bench-test-share-'))
    beforeAll(async () => {
      postgres = await startPostgres()
      await postgres.sql("create role poor login password 'poor-word'")
      await postgres.sql('revoke create on database bench from public')
    })
    afterAll(async () => {
      rmSync(share, { recursive: true, force: true })
      await postgres?.stop()
    })

    const url = (user = 'bench', rest = '') => `postgres://${user}@127.0.0.1:${postgres.port}/bench${rest}`
    const refusedBoth = async (queue: string, line: RegExp, env: Record<string, string | undefined> = {}) => {
      const setting = { env: { PGPASSWORD: postgres.password, ...env } }
      const plan = argv`run --tasks ferry-morning --methods baseline --queue ${queue} --share ${share}`
      for (const args of [plan, argv`work --queue ${queue} --share ${share}`]) {
        const { code, stdout, stderr } = await startBench(args, setting).ended
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
        expect(stderr.split('\n')).toHaveLength(1)
        expect(stderr).toMatch(line)
        expect(stderr).not.toContain(postgres.password)
      }
    }

    it('a database', { timeout: 60_000 }, async () => {
      await refusedBoth(
        'postgres://bench@127.0.0.1:1/bench',
        /:1\/bench\] cannot be reached: .*ECONNREFUSED.* Check that PostgreSQL runs/,
      )
      await refusedBoth(url(), /refuses the password, or got none\. Set PGPASSWORD/, { PGPASSWORD: 'wrong' })
      await refusedBoth(url(), /refuses the password, or got none/, { PGPASSWORD: undefined })
      await refusedBoth(url('poor'), /too few rights: permission denied for database bench/, {
        PGPASSWORD: 'poor-word',
      })
      await refusedBoth(
        url('bench', '?sslmode=require'),
        /cannot be reached with TLS: the server has it off\. Turn ssl on in the server, or leave what begins with ssl/,
      )
      await refusedBoth(url().replace(/bench$/, 'none'), /has no such database/)
      await postgres.sql("create database latin owner bench encoding 'LATIN1' locale 'C' template template0")
      await refusedBoth(
        url().replace(/bench$/, 'latin'),
        /has the encoding LATIN1, which cannot hold all names\. Create another with createdb --encoding UTF8/,
      )
      expect(readdirSync(share)).toEqual([])
      await refusedBoth('mysql://localhost/bench', /\[--queue\] is no URL of PostgreSQL\. Write postgres:/)
      await refusedBoth('postgres://127.0.0.1/bench', /\[--queue\] names no user\. Write postgres:/)
      await refusedBoth('postgres://bench@127.0.0.1', /\[--queue\] names no database\. Write postgres:/)
      await refusedBoth(
        `postgres://bench:${postgres.password}@127.0.0.1/bench`,
        /holds a password.*Leave it out, and set PGPASSWORD/,
      )
    })

    it('a server that may not be written, has no free connection, or is behind a pooler', {
      timeout: 60_000,
    }, async () => {
      await postgres.sql('alter role bench set default_transaction_read_only = on')
      await refusedBoth(url(), /\] is read-only, as a standby is\. Name the server that may be written\.$/)
      await postgres.sql(
        'alter role bench reset default_transaction_read_only; alter role bench connection limit 0',
      )
      await refusedBoth(url(), /has no free connection\. Start fewer workers, or raise max_connections/)
      await postgres.sql('alter role bench connection limit -1')
      const pooler = createServer((socket) => {
        const text = 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0'
        const head = Buffer.from([0x45, 0, 0, 0, 4 + text.length])
        socket.on('error', () => {}).once('data', () => socket.end(Buffer.concat([head, Buffer.from(text)])))
      })
      const port = new URL(await onLoopback(pooler)).port
      await refusedBoth(
        `postgres://bench@127.0.0.1:${port}/bench`,
        /is behind a pooler that refuses what bench needs: unsupported startup parameter: options\. Name the server itself/,
      )
    })

    it('a schema of somebody else, or of another bench', { timeout: 60_000 }, async () => {
      await postgres.sql('create schema orchestration_bench authorization bench')
      await refusedBoth(
        url(),
        /holds a schema orchestration_bench that is not of bench\. Name another database/,
      )
      await postgres.sql(
        'create table orchestration_bench.bench_version (version integer); alter table orchestration_bench.bench_version owner to bench',
      )
      for (const [version, whose] of [
        ['0', 'an older'],
        ['99', 'a newer'],
      ]) {
        await postgres.sql(
          `delete from orchestration_bench.bench_version; insert into orchestration_bench.bench_version values (${version})`,
        )
        await refusedBoth(url(), new RegExp(`holds a schema orchestration_bench of ${whose} bench`))
      }
      await postgres.sql('drop schema orchestration_bench cascade')
    })

    it('options that do not go together, and folders', { timeout: 60_000 }, async () => {
      const refused = async (args: readonly string[], line: RegExp) => {
        const { code, stderr } = await startBench(args, { env: { PGPASSWORD: postgres.password } }).ended
        expect(code, stderr).toBe(2)
        expect(stderr).toMatch(line)
      }
      const plan = argv`run --tasks ferry-morning --methods baseline`
      const queue = ['--queue', url()]
      await refused([...plan, ...queue], /--queue\] requires --share\. Add --share DIR/)
      await refused([...plan, '--share', share], /--share\] requires --queue/)
      await refused(
        [...plan, ...queue, '--share', '/nowhere'],
        /--share \/nowhere\] is not a folder\. Name a folder that the coordinator and all workers see/,
      )
      await refused(
        [...plan, ...queue, '--share', share, '--out', join(tempFolder(), 'x')],
        /--out\] is not in the folder of --share/,
      )
      const both = [...plan, ...queue, '--share', share]
      await refused(
        [...both, '--shard', '1/2'],
        /--shard\] conflicts with --queue: a run is done by shards or by workers/,
      )
      await refused(
        [...both, '--stop-when', 'settled'],
        /--stop-when\] conflicts with --queue: a stop rule ends a run when its results are settled/,
      )
      await refused(
        [...both, '--approve', 'ask'],
        /--approve ask\] conflicts with --queue: workers have no person to ask/,
      )
      await refused(['work', ...queue], /--share\] is missing/)
      await refused(
        ['work', ...queue, '--share', share, '--lease', '1'],
        /--lease 1\] is not a number of seconds from 2 to 3600/,
      )
      const alone = join(tempFolder(), 'alone')
      await benchOk([...plan.slice(1), '--quiet', '--out', alone])
      await refused(['--resume', alone, ...queue], /was not begun with --queue/)
    })

    it('a shared folder that is another for the worker, and old runs are pruned from the database', {
      timeout: 60_000,
    }, async () => {
      const place = createPlace(postgres)
      const coordinator = place.run(argv`--tasks ferry-morning --methods baseline --quiet`)
      await isPut(coordinator)
      const other = tempFolder()
      const work = (folder: string) =>
        startBench(['work', '--queue', place.queue, '--share', folder], { env: place.env }).ended
      expect((await work(other)).stderr).toMatch(
        /--share .*\] has no folder run that this user can read, so it is not the folder of the coordinator/,
      )
      mkdirSync(join(other, 'run'))
      expect((await work(other)).code).toBe(2)
      coordinator.kill('SIGINT')
      expect((await coordinator.ended).stderr).toMatch(
        /Resume with: bench run --resume \S+run --queue postgres:/,
      )
      const prune = (...more: string[]) =>
        startBench(['runs', 'prune', '--older-than', '1h', '--queue', place.queue, ...more], {
          env: place.env,
        }).ended
      expect((await prune('--yes')).stdout).toBe('no run in the queue is older')
      await postgres.sql("update orchestration_bench.bench_run set put_at = put_at - interval '2 hours'")
      expect((await prune('--dry-run')).stdout).toMatch(/^remove {2}run {2}put on/)
      expect((await prune()).stderr).toMatch(/would remove 1 run, and there is no terminal to ask at/)
      expect((await prune('--yes')).stdout).toMatch(/removed 1 run from the queue$/)
      for (const table of ['job', 'bench_run', 'event'])
        expect(await postgres.sql(`select count(*) from orchestration_bench.${table}`)).toBe('0')
      const again = place.resume('run', '--quiet')
      await isPut(again)
      await ok(place.work())
      await ok(again)
    })
  },
)
