import { chmodSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { rawCallsProgram } from '../../../src/sandbox/filter/raw-calls.ts'
import { hasFilter } from '../../../src/sandbox/filter/seccomp.ts'
import { callRules } from '../../../src/sandbox/filter/syscalls.ts'
import { openAdapter, openSandbox } from '../../../src/sandbox/open-sandbox.ts'
import type { SandboxCommand } from '../../../src/sandbox/sandbox.ts'
import { UserError } from '../../../src/text/errors.ts'
import { needs } from '../../helpers/house/needs.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { openBubblewrap } from '../../helpers/machine/sandboxes.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const sandbox = await openBubblewrap()
const arch = process.arch

/** Runs a command in the sandbox and returns its output. */
async function printed(command: string[], options: Partial<SandboxCommand> = {}): Promise<string> {
  const result = await sandbox?.run({ files: {}, command, timeoutMs: 20_000, ...options })
  expect(result?.stderr).toBe('')
  return result?.stdout.trim() ?? ''
}

/** Runs Python with a function `call` that returns the name of the error, or `got` and the result of the call. */
const inPython = (body: string) =>
  printed([
    'python3',
    '-c',
    `import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def call(*args):
    result = libc.syscall(*[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    return f'got {result}' if result >= 0 else errno.errorcode[ctypes.get_errno()]
${body}`,
  ])

needs('bwrap', 'a processor with a filter of system calls').describe(
  'the sandbox bubblewrap',
  { timeout: 60_000 },
  () => {
    if (!hasFilter(arch)) return

    it('refuses each listed call with its error, and ends a program that makes a 32-bit call', async () => {
      const refused = callRules.flatMap((rule) => {
        const number = rule.numbers[arch]
        return number === undefined ? [] : [{ ...rule, number }]
      })
      const argsOf: Record<string, number[]> = {
        clone: [0x10000011],
        socket: [40, 1, 0],
        socketpair: [40, 1, 0],
        personality: [0x400000],
        ioctl: [0, 0x5412],
        prlimit64: [1, 0],
        fcntl: [0, 1024],
        mmap: [0, 4096, 3, 0x21, -1, 0],
      }
      const calls = refused.map(({ name, number }) => ({ number, args: argsOf[name] ?? [] }))
      const script = 'base64 -d calls.txt > calls; chmod +x calls; ./calls > returned; base64 returned'
      const files = { 'calls.txt': rawCallsProgram(arch, calls).toString('base64') }
      const result = await sandbox?.run({ files, command: ['sh', '-c', script], timeoutMs: 20_000 })
      const returned = Buffer.from(result?.stdout ?? '', 'base64')
      const met = refused.map(({ name }, at) => `${name} ${returned.readBigInt64LE(at * 8)}`)
      expect(met).toEqual(refused.map(({ name, error }) => `${name} -${constants.errno[error]}`))
      expect(returned.length).toBe(refused.length * 8)
      // A kernel that has no such calls ends the program by itself.
      if (arch === 'x64') expect(result?.stderr).toMatch(/Bad system call|Segmentation fault/)
    })

    needs('python3').it('opens sockets of the families that tests need, and no others', async () => {
      const body = `import socket
met = []
for family in range(1, 46):
    try: socket.socket(family, socket.SOCK_STREAM if family != 16 else socket.SOCK_RAW).close(); met.append(family)
    except OSError as e: assert e.errno == errno.EAFNOSUPPORT, (family, e)
print(met)`
      expect(await inPython(body)).toBe('[1, 2, 10, 16]')
    })

    needs('python3', 'an x64 processor').it('hides keyrings from calls by any number', async () => {
      const body = `
buffer = ctypes.create_string_buffer(256)
for ring in (-1, -2, -3, -4, -5): print(call(248, b'user', b'bench', b'x', 1, ring), call(250, 11, ring, buffer, 256), end=' ')
print(call(249, b'user', b'bench', None, -3), call(250, 1, None), call(0x40000000 + 250, 11, -3, buffer, 256))`
      const met = await inPython(body)
      expect(met).toBe(`${'EPERM EPERM '.repeat(5)}EPERM EPERM ENOSYS`)
    })

    needs('perl', 'an x64 processor').it('refuses the same calls to Perl', async () => {
      const script = 'print syscall(250, 0, -3, 1), " ", syscall(41, 40, 1, 0), " ", syscall(425, 1, 0)'
      expect(await printed(['perl', '-e', script])).toBe('-1 -1 -1')
    })

    it('lets Node start threads and programs, listen, and read files in each way', async () => {
      const script = `
      const { Worker } = require('node:worker_threads'), { execSync, spawnSync } = require('node:child_process'), fs = require('node:fs')
      const worker = new Worker('require("node:worker_threads").parentPort.postMessage(6 * 7)', { eval: true })
      worker.on('message', async (answer) => {
        fs.writeFileSync('a', 'text'); fs.cpSync('a', 'b')
        const text = await fs.promises.readFile('b', 'utf8')
        const server = require('node:net').createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1', () => {
          require('node:net').connect(server.address().port, '127.0.0.1').on('data', (data) => {
            const seen = Object.keys(require('node:os').networkInterfaces())
            console.log(answer, execSync('echo shell').toString().trim(), spawnSync('true').status, text, String(data), seen)
            server.close()
          })
        })
      })`
      expect(await printed([process.execPath, '-e', script])).toBe("42 shell 0 text hello [ 'lo' ]")
    })

    needs('python3').it(
      'lets Python start threads, programs and pools, and share memory by files',
      async () => {
        const body = `import concurrent.futures, multiprocessing, subprocess, threading, time, asyncio
from multiprocessing import shared_memory
if __name__ == '__main__':
    met = []
    thread = threading.Thread(target=lambda: met.append('thread')); thread.start(); thread.join()
    met.append(subprocess.run(['echo', 'program'], capture_output=True, text=True).stdout.strip())
    with multiprocessing.get_context('fork').Pool(2) as pool: met.append(pool.map(abs, [-1, -2]))
    memory = shared_memory.SharedMemory(create=True, size=4096); memory.buf[0] = 7; met.append(memory.buf[0]); memory.close(); memory.unlink()
    async def program(): return await (await asyncio.create_subprocess_exec('true')).wait()
    met.append(asyncio.run(program()))
    print(met)`
        expect(await inPython(body)).toBe("['thread', 'program', [1, 2], 7, 0]")
      },
    )

    it('lets git work', async () => {
      const script =
        'git init -q . && git add . && git -c user.name=a -c user.email=b commit -qm first && git log --format=%s'
      expect(await printed(['sh', '-c', script], { files: { a: 'text' } })).toBe('first')
    })

    it('lets npm run a script', async () => {
      const files = { 'package.json': '{ "scripts": { "test": "node -p 6*7" } }' }
      expect(await printed(['npm', 'test', '--silent'], { files })).toBe('42')
    })
  },
)

describe('broken bubblewrap', () => {
  const restored = keepEnvironment()
  afterEach(restored)

  /** Puts a program called bwrap first on the PATH, in a folder that the user of a sandbox may enter. */
  function putFirst(text: string, mode = 0o755): void {
    const folder = tempFolder()
    chmodSync(folder, 0o755)
    writeFileSync(join(folder, 'bwrap'), text)
    chmodSync(join(folder, 'bwrap'), mode)
    process.env.PATH = [folder, process.env.PATH].join(delimiter)
  }

  type Broken = [how: string, text: string, words: RegExp]

  const version = 'case "$1" in --version) echo "bubblewrap 0.8.0"; exit 0;; esac\n'

  const broken: Broken[] = [
    ['exits with code 1 and no message', '#!/bin/sh\nexit 1\n', /exit code 1/],
    ['exits 1 and says why', '#!/bin/sh\necho "bwrap: broken here" >&2; exit 1\n', /bwrap: broken here/],
    ['is not a program', 'no program at all\0\n', /bubblewrap does not start/],
    ['names a missing interpreter', '#!/no/such/shell\n', /bubblewrap does not start/],
    ['is killed', '#!/bin/sh\nkill -9 $$\n', /SIGKILL/],
  ]

  /** Programs that start, but do not start the probe. */
  const useless: Broken[] = [
    [
      'cannot create namespaces',
      `#!/bin/sh\n${version}echo "bwrap: No permissions to create new namespace" >&2; exit 1\n`,
      /bwrap: No permissions to create new namespace/,
    ],
    ['ends without starting the program', `#!/bin/sh\n${version}exit 0\n`, /the probe ended without output/],
    ['prints something else', `#!/bin/sh\n${version}echo hello\n`, /printed "hello"/],
    ['prints JSON other than the probe’s', `#!/bin/sh\n${version}echo null\n`, /printed "null"/],
  ]

  const isReported = async (_: string, text: string, words: RegExp) => {
    putFirst(text)
    expect(await openAdapter('bubblewrap')).toMatchObject({
      missing: expect.stringMatching(words),
      remedy: expect.stringMatching(/\.$/),
    })
    const opened = await openSandbox('auto')
    if (opened.adapter === 'none') expect(opened.remedy).toMatch(words)
    const named = await openSandbox('bubblewrap').catch((error: unknown) => error)
    expect(named).toBeInstanceOf(UserError)
    expect(String(named)).toMatch(words)
  }

  it.each(broken)('bench reports a bubblewrap that %s like a missing one', isReported)

  const others =
    process.getuid?.() === 0
      ? (['prlimit', 'setpriv', 'unshare', 'nsenter'] as const)
      : (['prlimit'] as const)
  needs(...others).it.each(useless)('bench reports a bubblewrap that %s like a missing one', isReported)

  it('bench reports the path of a bubblewrap that is not executable', async () => {
    process.env.PATH = ''
    putFirst('#!/bin/sh\nexit 0\n', 0o644)
    expect(await openAdapter('bubblewrap')).toMatchObject({
      missing: expect.stringMatching(/bwrap cannot be executed/),
    })
  })
})
