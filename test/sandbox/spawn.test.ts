import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InfrastructureError } from '../../src/errors.ts'
import { packageRoot } from '../../src/package-root.ts'
import type { SandboxCommand } from '../../src/sandbox/sandbox.ts'
import { spawnUnsandboxed } from '../../src/sandbox/spawn.ts'

const program = (name: string) => join(packageRoot(), 'fixtures/programs', name)
const node = (script: string, options: Partial<SandboxCommand> = {}) =>
  spawnUnsandboxed({ files: {}, command: [process.execPath, '-e', script], timeoutMs: 20_000, ...options })
const fixture = (name: string, args: string[] = [], options: Partial<SandboxCommand> = {}) =>
  spawnUnsandboxed({
    files: {},
    command: [process.execPath, program(name), ...args],
    timeoutMs: 20_000,
    ...options,
  })

describe('spawnUnsandboxed', () => {
  it('gives exit code, output and input of a command that runs among its files', async () => {
    const script = `const fs = require('fs'); process.stdout.write(fs.readFileSync('a/b.txt', 'utf8') + fs.readFileSync(0, 'utf8'));
      process.stderr.write('told'); process.exitCode = 3`
    const result = await node(script, { files: { 'a/b.txt': 'text, ' }, stdin: 'typed' })
    expect(result).toMatchObject({ exitCode: 3, killedBy: null, stdout: 'text, typed', stderr: 'told' })
    expect(result).toMatchObject({ timedOut: false, truncated: false })
  })

  it('closes the standard input of a command that gets none', async () => {
    expect((await node(`process.stdin.on('end', () => console.log('ended')).resume()`)).stdout).toBe(
      'ended\n',
    )
  })

  it('gives every command the same few variables', async () => {
    process.env.BENCH_TEST_SECRET = 'secret'
    const { stdout } = await node('console.log(JSON.stringify(process.env))', { env: { EXTRA: 'yes' } })
    delete process.env.BENCH_TEST_SECRET
    const env = JSON.parse(stdout)
    expect(env).toMatchObject({
      TZ: 'UTC',
      LANG: 'C.UTF-8',
      PYTHONHASHSEED: '0',
      EXTRA: 'yes',
      PATH: process.env.PATH,
    })
    expect(env.BENCH_TEST_SECRET).toBeUndefined()
    expect(env.NODE_OPTIONS).toBeUndefined()
  })

  it('shows one fixed path instead of its private folder', async () => {
    const outputs = await Promise.all([1, 2].map(() => node('console.log(process.cwd(), process.env.HOME)')))
    expect(outputs.map(({ stdout }) => stdout)).toEqual(['/workspace /sandbox\n', '/workspace /sandbox\n'])
  })

  it('removes the folder, also what the command added and closed off', async () => {
    const script = `const fs = require('fs'); fs.mkdirSync('closed/in', { recursive: true }); fs.writeFileSync('closed/in/f', '')
      fs.chmodSync('closed', 0); process.stdout.write(Buffer.from(process.cwd()).toString('hex'))`
    const { stdout } = await node(script)
    const folder = Buffer.from(stdout, 'hex').toString()
    expect(folder).toContain('bench-')
    expect(existsSync(join(folder, '..'))).toBe(false)
  })

  it.each(['/etc/passwd', '../out', 'a/../../out', 'a//b', 'a\\b', '', 'a/'])(
    'refuses the path %j',
    async (path) => {
      await expect(node('', { files: { [path]: '' } })).rejects.toThrow(InfrastructureError)
    },
  )

  it('refuses a file where another file needs a folder', async () => {
    await expect(node('', { files: { a: '', 'a/b': '' } })).rejects.toThrow(/"a" cannot stand/)
  })

  it('names a program that is missing, and the remedy', async () => {
    const run = spawnUnsandboxed({ files: {}, command: ['no-such-program'], timeoutMs: 1000 })
    await expect(run).rejects.toThrow(InfrastructureError)
    await expect(
      spawnUnsandboxed({ files: {}, command: ['no-such-program'], timeoutMs: 1000 }),
    ).rejects.toThrow(/no-such-program was not found.*Install no-such-program/)
  })

  it('reads output that is not UTF-8', async () => {
    const { stdout } = await fixture('print-bytes.mjs')
    expect(stdout).toMatch(/^before .*\ufffd.* after$/)
  })

  it('keeps the beginning and the end of too much output', async () => {
    const { stdout, truncated, exitCode } = await fixture('flood.mjs', ['4'], { maxOutputBytes: 100_000 })
    expect(stdout.replace(/x+/g, 'x')).toBe('first\nx\n[output cut]\nx\nlast\n')
    expect({ truncated, exitCode, size: stdout.length }).toEqual({
      truncated: true,
      exitCode: 0,
      size: 100_000 + 14,
    })
  })

  it('keeps output of exactly the size that is kept', async () => {
    const { stdout, truncated } = await node(`process.stdout.write('y'.repeat(1000))`, {
      maxOutputBytes: 1000,
    })
    expect({ size: stdout.length, truncated }).toEqual({ size: 1000, truncated: false })
  })

  it('ends a command that floods without end', async () => {
    const result = await fixture('flood.mjs', [], { maxOutputBytes: 10_000 })
    expect(result).toMatchObject({ killedBy: 'SIGKILL', truncated: true, timedOut: false })
  })

  it('ends a command that ignores polite signals at its limit', async () => {
    const result = await fixture('ignore-terminate.mjs', [], { timeoutMs: 400 })
    expect(result).toMatchObject({ timedOut: true, killedBy: 'SIGKILL', exitCode: null, stdout: 'started\n' })
  })

  it('tells which signal ended a command', async () => {
    expect(await node(`process.kill(process.pid, 'SIGSEGV')`)).toMatchObject({
      killedBy: 'SIGSEGV',
      timedOut: false,
    })
  })

  it('rejects with the reason when aborted, also before it began', async () => {
    const controller = new AbortController()
    const running = fixture('ignore-terminate.mjs', [], { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 100)
    await expect(running).rejects.toThrow('enough')
    await expect(node('', { signal: controller.signal })).rejects.toThrow('enough')
  })
})

describe.runIf(process.platform === 'linux')('process trees', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bench-test-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const survivors = () => {
    const pids: Record<string, number> = JSON.parse(readFileSync(join(folder, 'pids'), 'utf8'))
    expect(Object.keys(pids)).toHaveLength(4)
    return Object.keys(pids).filter((name) => isAlive(pids[name] as number))
  }

  it('leaves nothing alive after a normal exit', async () => {
    const result = await fixture('leave-behind.mjs', [join(folder, 'pids')])
    expect(result).toMatchObject({ exitCode: 0, timedOut: false })
    expect(survivors()).toEqual([])
  })

  it('leaves nothing alive after a timeout', async () => {
    const result = await fixture('leave-behind.mjs', [join(folder, 'pids'), 'stay'], { timeoutMs: 700 })
    expect(result.timedOut).toBe(true)
    expect(survivors()).toEqual([])
  })

  it('leaves nothing alive after an abort', async () => {
    const controller = new AbortController()
    const running = fixture('leave-behind.mjs', [join(folder, 'pids'), 'stay'], { signal: controller.signal })
    const settled = expect(running).rejects.toThrow('stop')
    while (!existsSync(join(folder, 'pids'))) await new Promise((resolve) => setTimeout(resolve, 20))
    await new Promise((resolve) => setTimeout(resolve, 50))
    controller.abort(new Error('stop'))
    await settled
    expect(survivors()).toEqual([])
  })

  it('does not touch the processes of another command', async () => {
    const other = node(`setTimeout(() => console.log('done'), 600)`)
    await fixture('leave-behind.mjs', [join(folder, 'pids')])
    expect((await other).stdout).toBe('done\n')
  })
})

/** Whether a process runs; one that has ended but was not collected yet does not. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return !/\) [ZX] /.test(stat)
  } catch {
    return false
  }
}
