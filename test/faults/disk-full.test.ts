import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { spawnUnsandboxed } from '../../src/sandbox/process/spawn.ts'
import { outputsOf, sharedPlan } from '../cli/run/crash-scenario.ts'
import { expectSame, runOnce } from '../cli/run/determinism-scenario.ts'
import { needs } from '../helpers/house/needs.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import {
  bench,
  type Ended,
  recordLines,
  root,
  startBench,
  stepsOf,
  until,
  wholeLines,
} from '../helpers/runs/cli.ts'

const worker = join(root, 'fixtures/agents/paid-worker.mjs')
const paid = argv`--mode live --agents scripted:${worker} --tasks answers
  --methods baseline,sequential[parallel=2,maxOuter=2,maxInner=2]`
const free = ['--tasks', 'answers', '--methods', 'baseline,sequential', '--epochs', '4']

const system = (...command: [string, ...string[]]) =>
  spawnSync(command[0], command.slice(1), { encoding: 'utf8', timeout: 20_000 })

/** Mounts a disk of this size in KiB, which can be enlarged. */
function smallDisk(kib: number): { path: string; enlarge(): void } {
  const path = tempFolder()
  const mount = system('mount', '-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', path)
  if (mount.status !== 0) throw new Error(`needs the right to mount a small disk: ${mount.stderr}`)
  onTestFinished(() => void system('umount', path))
  return {
    path,
    enlarge: () => expect(system('mount', '-o', 'remount,size=64m', path).status).toBe(0),
  }
}

const onSmallDisks = needs('mount').it

/** Checks that the run reports place, fact and remedy without a stack, and leaves only complete lines. */
function stopsCleanly(ended: Ended, folder: string, fault: RegExp): void {
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toMatch(fault)
  expect(ended.stderr).not.toMatch(/^\s+at |\.[jt]s:\d+|Internal error/m)
  expect(ended.stderr.match(/cannot be written/g)).toHaveLength(1)
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    const path = join(folder, file)
    expect(readFileSync(path, 'utf8'), `${file} ends with a whole line`).toMatch(/^$|\n$/)
    for (const line of wholeLines(path)) JSON.parse(line)
  }
  expect(existsSync(join(folder, 'lock'))).toBe(false)
}

const recorded = (folder: string) => wholeLines(join(folder, 'records.jsonl'))

onSmallDisks('a full disk does not fail a solution, unless the solution filled it', async () => {
  const { path } = smallDisk(24 * 1024)
  vi.stubEnv('TMPDIR', path)
  onTestFinished(() => void vi.unstubAllEnvs())
  const fill = "for (;;) require('fs').appendFileSync('big' + process.pid, Buffer.alloc(1 << 20))"
  const run = (code: string) =>
    spawnUnsandboxed({ files: {}, command: [process.execPath, '-e', code], timeoutMs: 20_000 })
  expect(await run(fill)).toMatchObject({ exitCode: 1 })
  expect(await run('')).toMatchObject({ exitCode: 0 })
  writeFileSync(join(path, 'of-others'), Buffer.alloc(23.5 * 1024 * 1024))
  await expect(run('')).rejects.toThrow(`the disk of ${path} is full`)
})

onSmallDisks('a free run stops on a full disk, and resumes when there is space', async () => {
  const calm = await runOnce(free, {}, '--parallel', '1')
  for (const kib of [64, 96, 160, 256]) {
    const disk = smallDisk(kib)
    const folder = join(disk.path, 'run')
    stopsCleanly(
      await bench([...free, '--parallel', '8', '--quiet', '--out', folder]),
      folder,
      /cannot be written: the disk is full \(ENOSPC\)\. Free space on that disk, then continue with bench run --resume/,
    )
    const before = recorded(folder)
    disk.enlarge()
    expect(await bench(['--resume', folder, '--quiet'])).toMatchObject({ code: 0 })
    for (const line of before) expect(recorded(folder)).toContain(line)
    expectSame({ folder, lines: recordLines(folder), ms: 0 }, calm)
  }
})

for (const { what, long, sizes } of [
  { what: 'lines', long: undefined, sizes: [32, 48, 72, 100] },
  { what: 'blobs', long: '1', sizes: [300, 700] },
])
  onSmallDisks(
    `a run loses no paid result to a disk full of ${what}, and asks none of them again`,
    async () => {
      const calm = await runOnce(paid, { WORKER_LONG: long }, '--parallel', '1')
      for (const kib of sizes) {
        const disk = smallDisk(kib)
        const folder = join(disk.path, 'run')
        const log = join(tempFolder(), 'calls.jsonl')
        const env = { WORKER_LOG: log, WORKER_MS: '3', WORKER_LONG: long }
        stopsCleanly(
          await bench([...paid, '--parallel', '8', '--quiet', '--out', folder], { env }),
          folder,
          /cannot be written: the disk is full \(ENOSPC\)/,
        )
        const before = recorded(folder)
        const answered = stepsOf(folder).flatMap((step) => (step.kind === 'ask' ? [nameOf(step)] : []))
        expect(answered.length).toBeGreaterThan(0)
        const asked = wholeLines(log).length
        disk.enlarge()
        expect(await bench(['--resume', folder, '--quiet'], { env })).toMatchObject({ code: 0 })
        const again = wholeLines(log)
          .slice(asked)
          .map((line) => (JSON.parse(line) as { name: string }).name)
        expect(again.filter((name) => answered.includes(name))).toEqual([])
        for (const line of before) expect(recorded(folder)).toContain(line)
        expectSame({ folder, lines: recordLines(folder), ms: 0 }, calm)
      }
    },
  )

onSmallDisks(
  'a run stops when the outputs of its methods fill the disk, and resumes with all of them',
  async () => {
    const calm = await runOnce(sharedPlan, {}, '--parallel', '1')
    const places: string[] = []
    for (const kib of [60, 84, 108, 132]) {
      const disk = smallDisk(kib)
      const folder = join(disk.path, 'run')
      const ended = await bench([...sharedPlan, '--parallel', '2', '--quiet', '--out', folder])
      stopsCleanly(ended, folder, /cannot be written: the disk is full \(ENOSPC\)\. Free space on that disk/)
      places.push(/\[(.*?)\]/.exec(ended.stderr)?.[1] ?? '')
      disk.enlarge()
      expect(await bench(['--resume', folder, '--quiet'])).toMatchObject({ code: 0 })
      expectSame({ folder, lines: recordLines(folder), ms: 0 }, calm)
      expect(outputsOf(folder)).toEqual(outputsOf(calm.folder))
    }
    // Each output takes a page of the disk, so most often it is an output that does not fit.
    expect(places.join()).toMatch(/run\/artifacts\/\w+\/outputs\/\w+/)
  },
)

onSmallDisks('a free request stops if its artifacts do not fit, and leaves no incomplete run', async () => {
  const instruction = join(tempFolder(), 'wish.md')
  writeFileSync(instruction, 'Say something long.\n')
  const args = ['--instruction', instruction, '--methods', 'baseline', '--mode', 'live', '--epochs', '3']
  const request = [...args, '--agents', `scripted:${worker}`, '--quiet', '--out']
  const env = { WORKER_LONG: '1' }
  const disk = smallDisk(200)
  const folder = join(disk.path, 'run')
  stopsCleanly(await bench([...request, folder], { env }), folder, /artifacts|blobs/)
  disk.enlarge()
  expect(await bench(['--resume', folder, '--quiet'], { env })).toMatchObject({ code: 0 })
  expect(recorded(folder)).toHaveLength(3)
  for (const trial of readdirSync(join(folder, 'artifacts')))
    expect(statSync(join(folder, 'artifacts', trial, 'answer.md')).size).toBeGreaterThan(100_000)

  const tiny = smallDisk(4)
  const refused = await bench([...request, join(tiny.path, 'run')], { env })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/the disk is full \(ENOSPC\).*run the same command again; nothing has begun/)
  expect(refused.stderr.trim().split('\n')).toHaveLength(1)
  tiny.enlarge()
  expect(await bench([...request, join(tiny.path, 'run')], { env })).toMatchObject({ code: 0 })
})

onSmallDisks('bench names a full temporary disk, not the sandbox, and leaves no folder on it', async () => {
  const disk = smallDisk(1200)
  const env = { TMPDIR: disk.path }
  writeFileSync(join(disk.path, 'full'), Buffer.alloc(1024 * 1024))
  const { stdout } = await bench(['doctor'], { env })
  expect(stdout).toMatch(
    /sandbox +cannot be tested: the disk of \S+ is full\n +Free some space, or set TMPDIR/,
  )

  const live = ['--mode', 'live', '--agents', `scripted:${worker}`, '--methods', 'baseline', '--quiet']
  const refused = await bench([...live, '--tasks', 'money-split'], { env })
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(
    /^bench: \[TMPDIR\] the disk of \S+ is full\. Free some space, or set TMPDIR[^\n]+$/m,
  )

  const folder = join(tempFolder(), 'run')
  const free = ['--tasks', 'money-split', '--methods', 'sequential', '--quiet', '--out', folder]
  const ended = await bench(free, { env })
  expect(ended.code).toBe(1)
  expect(ended.stderr).toContain('is full, so code cannot run')
  expect(readdirSync(disk.path)).toEqual(['full'])
  expect(await bench(['replay', folder])).toMatchObject({ code: 0 })

  system('dd', 'if=/dev/zero', `of=${join(disk.path, 'full')}`)
  const page = join(disk.path, 'page.html')
  const report = await bench(['report', folder, '--format', 'html', '--out', page])
  expect(report).toMatchObject({ code: 2, stderr: expect.stringContaining('ENOSPC') })
  expect(readdirSync(disk.path)).toEqual(['full'])
})

it('a run stops writing when its folder is removed', async () => {
  const folder = join(tempFolder(), 'run')
  const env = { WORKER_MS: '20' }
  const running = startBench([...paid, '--quiet', '--out', folder], { env })
  await until(() => running.isOver() || stepsOf(folder).length > 3)
  // Repeated, since the run may write into the folder meanwhile.
  rmSync(folder, { recursive: true, maxRetries: 10 })
  const ended = await running.ended
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  // Files go one after the other, so the run may miss its lock before its folder.
  expect(ended.stderr).toMatch(
    /it was removed during the run \(ENOENT\)\. Restore the folder|\/lock\] was removed while this run was using it\. (?:Use only|The folder was)/,
  )
  expect(ended.stderr).not.toMatch(/^\s+at |Internal error/m)
})

const nameOf = ({ trial, key, attempt }: { trial: string; key: string; attempt: number }) =>
  `${trial} ${key} ${attempt}`
