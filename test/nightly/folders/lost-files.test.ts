import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, refused, root, wholeLines } from '../../helpers/runs/cli.ts'

async function wholeRun() {
  const place = tempFolder()
  const folder = join(place, 'run')
  const env = { WORKER_LOG: join(place, 'log') }
  const agent = `scripted:${join(root, 'fixtures/agents/paid-worker.mjs')}`
  const plan = ['--tasks', 'ferry-morning,lamp-paths', '--methods', 'baseline,A=baseline']
  await benchOk(['--mode', 'live', '--agents', agent, ...plan, '--out', folder, '--quiet'], { env })
  return { folder, env, calls: () => wholeLines(env.WORKER_LOG).length }
}

it('reports refuse a complete run that has lost a record, and record no interim look, until the record is restored', async () => {
  const { folder, env, calls } = await wholeRun()
  const path = join(folder, 'records.jsonl')
  const whole = readFileSync(path, 'utf8')
  const before = await benchOk(['report', folder])
  // After a power loss a file may end in zero bytes, which are not a line.
  const zeros = '\0'.repeat(whole.length)
  for (const left of [whole.split('\n').slice(1).join('\n'), '', zeros]) {
    writeFileSync(path, left)
    for (const command of ['report', 'show'])
      await refused([command, folder], ['has lost records', `bench run --resume ${folder}`])
    await refused(['compare', `${folder}:baseline`, `${folder}:A`], ['has lost records'])
  }
  expect(existsSync(join(folder, 'looks.jsonl'))).toBe(false)

  writeFileSync(path, whole.split('\n').slice(1).join('\n'))
  const asked = calls()
  expect(await bench(['--resume', folder, '--quiet'], { env })).toMatchObject({ code: 0 })
  expect(calls()).toBe(asked)
  expect(await benchOk(['report', folder])).toBe(before)
})

it('a run without sessions.jsonl reports what is unknown, in reports and when it is resumed', async () => {
  const { folder, env } = await wholeRun()
  rmSync(join(folder, 'sessions.jsonl'))
  const { code, stdout, stderr } = await bench(['report', folder])
  expect(code).toBe(0)
  expect(stderr).toContain('sessions.jsonl holds no session')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('number of processors and parallel trials unknown')
  expect(stdout).not.toMatch(/, ,| trial in parallel/)
  expect((await bench(['--resume', folder, '--quiet'], { env })).stderr).toContain('holds no session')
})
