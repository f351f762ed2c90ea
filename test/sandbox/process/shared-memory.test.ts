import { mkdirSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nextCheckMs } from '../../../src/sandbox/process/shared-memory.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { SandboxCommand, StageHost } from '../../../src/sandbox/sandbox.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { foldersLeft, openBubblewrap } from '../../helpers/machine/sandboxes.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'

const sandbox = await openBubblewrap()
const mebibyte = 1024 ** 2

/** Runs Python that fills memory and then waits, in a sandbox with 200 MiB. */
const filling = (body: string) =>
  sandbox?.run({
    files: {},
    command: [
      'python3',
      '-c',
      `import mmap, os, time, ctypes
MiB = 1 << 20
def fill(mapping):
    for at in range(0, len(mapping), 4096): mapping[at] = 1
    return mapping
${body}`,
    ],
    timeoutMs: 20_000,
    limits: { memoryBytes: 200 * mebibyte },
  })

needs('bwrap', 'python3').describe('shared memory', { timeout: 60_000 }, () => {
  it.each(tableOf<[string, string, string][]>(import.meta.url, 'refused'))(
    'is refused: %s',
    async (_, body, error) => {
      const result = await filling(body)
      expect(result).toMatchObject({ exitCode: 1 })
      expect(result?.stderr).toContain(error)
    },
  )

  it('is counted once if several processes map it', async () => {
    const body = `kept = []
for name in ('/tmp/x', '/dev/shm/x'):
    with open(name, 'wb+') as file: file.truncate(60 * MiB); kept.append(fill(mmap.mmap(file.fileno(), 60 * MiB)))
children = []
for _ in range(3):
    child = os.fork()
    if child == 0: [fill(one) for one in kept]; time.sleep(0.5); os._exit(0)
    children.append(child)
print([os.waitpid(child, 0)[1] for child in children])`
    expect(await filling(body)).toMatchObject({ exitCode: 0, stdout: '[0, 0, 0]\n', stderr: '' })
  })

  it('a sandbox keeps /dev/zero readable', async () => {
    const body = "print(open('/dev/zero', 'rb').read(3))"
    expect(await filling(body)).toMatchObject({ exitCode: 0, stdout: "b'\\x00\\x00\\x00'\n", stderr: '' })
  })

  it('a peer whose page tables take too much memory is reported by name', async () => {
    const result = await sandbox?.run({
      files: {},
      command: ['python3', '-c', 'import sys; print(len(sys.stdin.read()), file=sys.stderr)'],
      peer: {
        files: {},
        command: [
          'python3',
          '-c',
          `import mmap, time
kept = mmap.mmap(-1, 300000 << 20, mmap.MAP_PRIVATE | 0x4000, mmap.PROT_READ)
for at in range(0, len(kept), 2 << 20): kept[at]
time.sleep(10)`,
        ],
      },
      timeoutMs: 20_000,
      limits: { memoryBytes: 200 * mebibyte },
    })
    expect(result).toMatchObject({ exitCode: 0, stderr: '0\n', timedOut: false, peer: { ended: 'memory' } })
  })
})

it('a check comes sooner the less memory is left', () => {
  const limit = 1024 * mebibyte
  const looks = [0, 0.5, 0.9, 1, 2].map((share) => Math.round(nextCheckMs(share * limit, limit, 100)))
  expect(looks).toEqual([100, 63, 12, 5, 5])
})

describe('stage socket', () => {
  afterEach(() => vi.unstubAllEnvs())

  const host: StageHost = { onConnection: () => {}, waitedMs: () => 0, end: async () => {} }
  const command = (code: string, change: Partial<StageHost> = {}): SandboxCommand => ({
    files: {},
    command: ['node', '-e', code],
    stage: { files: {}, state: '', open: () => ({ ...host, ...change }) },
    timeoutMs: 20_000,
  })

  it('a temporary folder whose path is too long for a socket is an error with a remedy, and leaves nothing', async () => {
    const long = join(tempFolder(), 'x'.repeat(100))
    mkdirSync(long)
    vi.stubEnv('TMPDIR', long)
    await expect(spawnUnsandboxed(command(''))).rejects.toThrow(/Set TMPDIR to a folder with a short path/)
    expect(foldersLeft()).toEqual([])
    vi.unstubAllEnvs()
    rmSync(long, { recursive: true })
  })

  it('connections beyond the sixteenth are closed, and a connection that sends nothing does not keep a stage open', async () => {
    let accepted = 0
    const code = `
const open = Array.from({ length: 30 }, () => new Promise((resolve) => {
  const socket = require('node:net').connect(process.env.BENCH_SOCKET, () => setTimeout(() => resolve(!socket.destroyed), 300))
  socket.on('error', () => resolve(false)).on('end', () => socket.destroy()).resume()
}))
Promise.all(open).then((all) => { console.log(all.filter(Boolean).length); process.exit() })`
    const result = await spawnUnsandboxed(command(code, { onConnection: () => void accepted++ }))
    expect(accepted).toBe(16)
    expect(result).toMatchObject({ exitCode: 0, stdout: '16\n' })
  })

  it('the folders are there when the harness is told of the end, and no connection is open any more', async () => {
    const sockets: Socket[] = []
    const seen: unknown[] = []
    const result = await spawnUnsandboxed(
      command(`require('node:net').connect(process.env.BENCH_SOCKET).on('data', () => process.exit(3))`, {
        onConnection: (socket) => {
          sockets.push(socket.resume())
          socket.write('hello')
        },
        end: async ({ exitCode }) => void seen.push(exitCode, ...sockets.map(({ destroyed }) => destroyed)),
      }),
    )
    expect(seen).toEqual([3, true])
    expect(result.exitCode).toBe(3)
    expect(foldersLeft()).toEqual([])
  })
})
