import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { openSandbox, type Sandbox } from '../../../src/sandbox/open-sandbox.ts'
import type { SandboxCommand } from '../../../src/sandbox/sandbox.ts'
import { InfrastructureError } from '../../../src/text/errors.ts'
import { needs } from '../../helpers/house/needs.ts'
import { foldersLeft, programText, running, sandboxes } from '../../helpers/machine/sandboxes.ts'

const soon = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms))

for (const [name, needed] of sandboxes)
  needs(...needed).describe(`the sandbox ${name}`, { timeout: 60_000 }, () => {
    let sandbox: Sandbox
    beforeAll(async () => {
      sandbox = await openSandbox(name)
    })
    const command = (argv: string[], options: Partial<SandboxCommand> = {}) =>
      sandbox.run({ files: {}, command: argv, timeoutMs: 20_000, ...options })
    const node = (script: string, options: Partial<SandboxCommand> = {}) =>
      command([process.execPath, '-e', script], options)
    const fixture = (name: string, args: string[] = [], options: Partial<SandboxCommand> = {}) =>
      command([process.execPath, name, ...args], { files: { [name]: programText(name) }, ...options })

    it('runs a command on its files and returns exit code and output', async () => {
      const script = `const fs = require('fs'); process.stdout.write(fs.readFileSync('a/b.txt', 'utf8') + fs.readFileSync(0, 'utf8'));
      process.stderr.write('warned'); process.exitCode = 3`
      const result = await node(script, { files: { 'a/b.txt': 'text, ' }, stdin: 'typed' })
      expect(result).toMatchObject({ exitCode: 3, killedBy: null, stdout: 'text, typed', stderr: 'warned' })
      expect(result).toMatchObject({ timedOut: false, truncated: false, level: sandbox.level })
      expect(result.ended).toBeUndefined()
    })

    it('closes the standard input of a command that gets none', async () => {
      const result = await node(`process.stdin.on('end', () => console.log('ended')).resume()`)
      expect(result.stdout).toBe('ended\n')
    })

    it('gives every command the same few environment variables', async () => {
      process.env.BENCH_TEST_SECRET = 'secret'
      const { stdout } = await node('console.log(JSON.stringify(process.env))', { env: { EXTRA: 'yes' } })
      delete process.env.BENCH_TEST_SECRET
      const { PATH, BENCH_SANDBOX: _, PWD: __, ...env } = JSON.parse(stdout)
      const holders = PATH.split(delimiter).filter((folder: string) => existsSync(join(folder, 'node')))
      expect(holders).not.toEqual([])
      expect(env).toEqual({
        TZ: 'UTC',
        LANG: 'C.UTF-8',
        PYTHONHASHSEED: '0',
        PYTHONDONTWRITEBYTECODE: '1',
        HOME: '/sandbox',
        TMPDIR: '/sandbox',
        EXTRA: 'yes',
      })
    })

    it('shows one fixed path instead of its private folder', async () => {
      const outputs = await Promise.all(
        [1, 2].map(() => node('console.log(process.cwd(), process.env.HOME)')),
      )
      expect(outputs.map(({ stdout }) => stdout)).toEqual(['/workspace /sandbox\n', '/workspace /sandbox\n'])
    })

    it('lets a command write to its workspace, HOME and temporary folder', async () => {
      const script = `const fs = require('fs'); for (const at of ['new/deep', process.env.HOME + '/at-home', require('os').tmpdir() + '/t'])
      fs.mkdirSync(at, { recursive: true }), fs.writeFileSync(at + '/f', ''); fs.appendFileSync('given', '!'); console.log(fs.readFileSync('given', 'utf8'))`
      expect(await node(script, { files: { given: 'text' } })).toMatchObject({
        stdout: 'text!\n',
        stderr: '',
      })
    })

    needs('python3').it('starts python3 by name', async () => {
      expect(await command(['python3', '-c', 'print(6 * 7)'])).toMatchObject({ exitCode: 0, stdout: '42\n' })
    })

    it('starts node by name', async () => {
      expect(await command(['node', '-p', '6 * 7'])).toMatchObject({ exitCode: 0, stdout: '42\n' })
    })

    it('removes the folder, including what the command added without permissions', async () => {
      const script = `const fs = require('fs'); fs.mkdirSync('closed/in', { recursive: true }); fs.writeFileSync('closed/in/f', '')
      fs.chmodSync('closed', 0); console.log('done')`
      expect((await node(script)).stdout).toBe('done\n')
      expect(foldersLeft()).toEqual([])
    })

    it.each(['/etc/passwd', '../out', 'a/../../out', 'a//b', 'a\\b', '', 'a/'])(
      'refuses the path %j',
      async (path) => {
        await expect(node('', { files: { [path]: '' } })).rejects.toThrow(InfrastructureError)
        expect(foldersLeft()).toEqual([])
      },
    )

    it('refuses a file where another file needs a folder', async () => {
      await expect(node('', { files: { a: '', 'a/b': '' } })).rejects.toThrow(/"a" cannot be created/)
    })

    it('names a program that is missing, and the remedy', async () => {
      await expect(command(['no-such-program'])).rejects.toThrow(InfrastructureError)
      await expect(command(['no-such-program'])).rejects.toThrow(
        /no-such-program was not found.*Install no-such-program/,
      )
      expect(foldersLeft()).toEqual([])
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

    it('keeps output of exactly the limit', async () => {
      const { stdout, truncated } = await node(`process.stdout.write('y'.repeat(1000))`, {
        maxOutputBytes: 1000,
      })
      expect({ size: stdout.length, truncated }).toEqual({ size: 1000, truncated: false })
    })

    it('ends a command that prints without end, whether the harness or the kernel notices first', async () => {
      const ended = { killedBy: 'SIGKILL', exitCode: null, truncated: true, timedOut: false, ended: 'output' }
      const seenBySize = await fixture('flood.mjs', [], { maxOutputBytes: 10_000 })
      expect(seenBySize).toMatchObject({
        ...ended,
        reason: 'printed more than 640000 bytes, a fixed limit of the sandbox',
      })
      const byKernel = await fixture('flood.mjs', [], { limits: { fileBytes: 2 * 1024 ** 2 } })
      expect(byKernel).toMatchObject({
        ...ended,
        reason: 'printed more than 2 MiB, a fixed limit of the sandbox',
      })
    })

    it('ends a command that ignores signals at its time limit', async () => {
      const result = await fixture('ignore-terminate.mjs', [], { timeoutMs: 500 })
      expect(result).toMatchObject({
        timedOut: true,
        killedBy: 'SIGKILL',
        exitCode: null,
        stdout: 'started\n',
      })
      expect(result).toMatchObject({ ended: 'wall', reason: 'still running after the limit of 500 ms' })
    })

    it('reports which signal ended a command', async () => {
      expect(await node(`process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 9)`)).toMatchObject({
        killedBy: 'SIGSEGV',
        exitCode: null,
        timedOut: false,
      })
    })

    it('rejects with the reason if aborted, also before the start', async () => {
      const controller = new AbortController()
      const aborted = fixture('ignore-terminate.mjs', [], { signal: controller.signal })
      setTimeout(() => controller.abort(new Error('enough')), 100)
      await expect(aborted).rejects.toThrow('enough')
      await expect(node('', { signal: controller.signal })).rejects.toThrow('enough')
      expect(foldersLeft()).toEqual([])
    })

    needs('Linux', 'prlimit').describe('limits of the kernel', () => {
      it('signals a command at its processor time limit, and reports that limit', async () => {
        const result = await node('for (;;);', { limits: { cpuSeconds: 1 } })
        expect(result).toMatchObject({ killedBy: 'SIGXCPU', ended: 'cpu' })
        expect(result.reason).toBe('used more than 1 s of processor time, a fixed limit of the sandbox')
      })

      it('refuses memory above the limit', async () => {
        const limits = { memoryBytes: 400 * 1024 ** 2 }
        const inNode = await node('Buffer.alloc(500 * 1024 ** 2)', { limits })
        expect(inNode).toMatchObject({
          ended: 'memory',
          reason: 'ran out of memory, of which it has 400 MiB, a fixed limit of the sandbox',
        })
      })

      needs('python3').it('refuses Python memory above the limit', async () => {
        const limits = { memoryBytes: 400 * 1024 ** 2 }
        const inPython = await command(['python3', '-c', 'bytearray(500 * 1024 ** 2)'], { limits })
        expect(inPython).toMatchObject({ exitCode: 1, ended: 'memory' })
      })

      needs('python3').it('refuses a file above the limit', async () => {
        const limits = { fileBytes: 1024 ** 2 }
        const python = `open('long', 'wb').truncate(2 * 1024 ** 2)`
        expect(await command(['python3', '-c', python], { limits })).toMatchObject({
          ended: 'file-size',
          reason: 'wrote a file of more than 1 MiB, a fixed limit of the sandbox',
        })
      })
    })

    needs('Linux').describe('process trees', () => {
      const token = randomUUID()

      it('leaves no process alive after a normal exit', async () => {
        const result = await fixture('leave-behind.mjs', [token])
        expect(result).toMatchObject({ exitCode: 0, timedOut: false, stdout: 'started\n' })
        expect(running(token)).toBe(0)
      })

      for (const [when, seconds] of [
        ['immediately, so that few process ids are candidates', '0'],
        ['so late that process ids may have wrapped around', '1.1'],
      ])
        needs('setsid').it(`kills a new session of a command that ended ${when}`, async () => {
          const script = `setsid sh -c 'touch up; sleep 60; :' ${token} & while [ ! -e up ]; do :; done; sleep ${seconds}`
          expect(await command(['sh', '-c', script])).toMatchObject({ exitCode: 0, stderr: '' })
          expect(running(token)).toBe(0)
        })

      it.each([
        ['sleeps', 'sleep 60; :'],
        ['starts one program after the other', 'i=0; while [ $i -lt 2000 ]; do /bin/true; i=$((i+1)); done'],
      ])('kills an unmarked process that %s when its command ends', async (_, loop) => {
        const script = `cd /; env -i sh -c '${loop}' ${token} & exit 0`
        for (let i = 0; i < 3; i++) {
          expect(await command(['sh', '-c', script])).toMatchObject({ exitCode: 0 })
          // Its group is killed, and the harness does not wait for it.
          await expect.poll(() => running(token)).toBe(0)
        }
      })

      it('leaves no process alive after a timeout', async () => {
        const result = await fixture('leave-behind.mjs', [token, 'stay'], { timeoutMs: 900 })
        expect(result).toMatchObject({ timedOut: true, stdout: 'started\n' })
        expect(running(token)).toBe(0)
      })

      it('leaves no process alive after an abort', async () => {
        const controller = new AbortController()
        const aborted = fixture('leave-behind.mjs', [token, 'stay'], { signal: controller.signal })
        const settled = expect(aborted).rejects.toThrow('stop')
        while (running(token) < 5) await soon()
        controller.abort(new Error('stop'))
        await settled
        expect(running(token)).toBe(0)
      })

      it('does not touch the processes of another command', async () => {
        const other = node(`setTimeout(() => console.log('done'), 600)`)
        await fixture('leave-behind.mjs', [token])
        expect((await other).stdout).toBe('done\n')
      })
    })
  })
