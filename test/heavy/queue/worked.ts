import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { type Ended, type Running, root, startBench } from '../../helpers/runs/cli.ts'
import type { Postgres } from '../../helpers/servers/postgres.ts'

/** Paid agents whose calls a file counts, so that each call that is made twice shows. They answer by what they are asked. */
export const paid = argv`--mode live --yes --agents ${`scripted:${join(root, 'fixtures/agents/paid-worker.mjs')}`}`

/** A run of paid agents. */
export const paidPlan = [...argv`--tasks answers --methods baseline,self-consistency --epochs 2`, ...paid]

/** A shared folder and a database, as a person at a terminal uses them. */
export function createPlace(postgres: Postgres, more: Record<string, string> = {}) {
  const share = tempFolder()
  const queue = `postgres://bench@127.0.0.1:${postgres.port}/bench`
  const env = { PGPASSWORD: postgres.password, ...more }
  const start = (args: readonly string[]): Running => startBench(args, { env })
  return {
    ...{ share, queue, env },
    /** Starts a coordinator; its run is in the shared folder. */
    run: (plan: readonly string[], name = 'run') =>
      start([...plan, ...argv`--queue ${queue} --share ${share} --out ${join(share, name)}`]),
    resume: (name = 'run', ...args: string[]) =>
      start(['--resume', join(share, name), '--queue', queue, ...args]),
    work: (...args: string[]) =>
      start([
        'work',
        '--trust-code',
        ...argv`--queue ${queue} --share ${share} --parallel 2`,
        ...(args.includes('--lease') ? [] : argv`--lease 3`),
        ...args,
      ]),
    folder: (name = 'run') => join(share, name),
  }
}

/** Waits until a coordinator has put its blocks. */
export const isPut = (coordinator: Running): Promise<void> => coordinator.says(/bench work/)

/** Checks that a command ended well. */
export async function ok(running: Running): Promise<Ended> {
  const ended = await running.ended
  expect(ended, ended.stderr).toMatchObject({ code: 0 })
  return ended
}

/** All that files below a folder hold, as one text. */
export const textsBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n')
