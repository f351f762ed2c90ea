import { expect, it } from 'vitest'
import { nextCheckMs } from '../../../src/sandbox/process/shared-memory.ts'
import { needs } from '../../helpers/house/needs.ts'
import { openBubblewrap } from '../../helpers/machine/sandboxes.ts'

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
  it.each([
    ['a mapping without a file', 'mmap.mmap(-1, 4096)', 'PermissionError: [Errno 1]'],
    ['a large mapping', 'mmap.mmap(-1, 300 * MiB)', 'PermissionError: [Errno 1]'],
    [
      'a read-only mapping',
      'mmap.mmap(-1, 4096, mmap.MAP_SHARED, mmap.PROT_READ)',
      'PermissionError: [Errno 1]',
    ],
    ['a mapping of /dev/zero', "mmap.mmap(os.open('/dev/zero', os.O_RDWR), 4096)", 'OSError: [Errno 19]'],
    [
      'a read-only mapping of /dev/zero',
      "mmap.mmap(os.open('/dev/zero', os.O_RDONLY), 4096, mmap.MAP_SHARED, mmap.PROT_READ)",
      'OSError: [Errno 19]',
    ],
    ['memfd', "os.memfd_create('x')", 'OSError: [Errno 38]'],
    [
      'System V',
      'libc = ctypes.CDLL(None, use_errno=True); assert libc.shmget(0, 4096, 0o1600) != -1',
      'AssertionError',
    ],
    [
      'a private mapping',
      'mmap.mmap(-1, 300 * MiB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)',
      'OSError: [Errno 12]',
    ],
  ])('is refused: %s', async (_, body, error) => {
    const result = await filling(body)
    expect(result).toMatchObject({ exitCode: 1 })
    expect(result?.stderr).toContain(error)
  })

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
