import { expect, it } from 'vitest'
import { needs } from '../helpers/house/needs.ts'
import { tableOf } from '../helpers/house/tables.ts'
import { foldersLeft, openBubblewrap } from '../helpers/machine/sandboxes.ts'
import { sampleTask } from '../helpers/runs/sample-task.ts'
import { agentOf, playTrial, strategyOf } from '../helpers/runs/trial.ts'

// Attacks by system calls, which Node cannot make: Python and Perl do. Each is bounded, and runs inside bubblewrap alone.
const sandbox = await openBubblewrap()

/** The reason in the record of a live trial whose agent hands in the attack, which a grader starts. */
async function recordOf(command: string[], attack: string) {
  const { record } = await playTrial({
    agent: agentOf(() => `FILE: attack\n\`\`\`\n${attack}\n\`\`\`\n`),
    strategy: strategyOf(async ({ ask }) => {
      await ask('solver', 'solve')
      return { stopReason: 'done' }
    }),
    task: sampleTask({
      spec: {
        editable: ['**'],
        graders: [{ kind: 'tests', runner: 'command', command, expectTests: 1, timeoutMs: 60_000 }],
      },
      tests: { 'keep.txt': '' },
    }),
    mode: 'live',
    sandbox: sandbox?.run,
  })
  expect(foldersLeft()).toEqual([])
  expect(record).toMatchObject({ outcome: { status: 'completed' }, passed: false, sandbox: 'full' })
  return record.scores[0]?.reason ?? ''
}

const prelude = `
import ctypes, errno, mmap, os, struct, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
MiB = 1 << 20
def call(*args):
    result = libc.syscall(*[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    return 'GOT' if result >= 0 else errno.errorcode[ctypes.get_errno()]
def tried(work):
    try: return 'GOT ' + str(work())
    except OSError as error: return errno.errorcode.get(error.errno, str(error))
    except BaseException as error: return type(error).__name__
def fill(mapping):
    for at in range(0, len(mapping), 4096): mapping[at] = 1
    return mapping
# Calls as a 32-bit program makes them: eax, ebx, ecx, edx, int 0x80.
def old(number, *args):
    a, b, c = (list(args) + [0, 0, 0])[:3]
    code = b'\\x53\\xb8' + struct.pack('<I', number) + b'\\xbb' + struct.pack('<I', a & 0xffffffff) + b'\\xb9' + struct.pack('<I', b & 0xffffffff) + b'\\xba' + struct.pack('<I', c & 0xffffffff) + b'\\xcd\\x80\\x5b\\xc3'
    place = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    place.write(code)
    return ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(place)))()
def met(*what):
    print('met', *what); sys.stdout.flush(); os._exit(1)
`

const ofPython = needs('bwrap', 'python3', 'an x64 processor').describe
const attackOf = (body: string) => recordOf(['python3', 'attack'], prelude + body)

ofPython('an attack by system calls', { timeout: 120_000 }, () => {
  it.each(tableOf<[string, string][]>(import.meta.url, 'refusedEPERM'))(
    'is refused with EPERM: %s',
    async (_, body) => {
      expect(await attackOf(body)).toMatch(/: met( EPERM)+$/)
    },
  )

  it.each(tableOf<[string, string][]>(import.meta.url, 'refusedENOSYS'))(
    'is refused with ENOSYS: %s',
    async (_, body) => {
      expect(await attackOf(body)).toMatch(/: met( ENOSYS)+$/)
    },
  )

  it.each([
    [
      'sockets',
      'met(*{call(41, family, kind, 0) for family in range(0, 64) if family not in (1, 2, 10, 16) for kind in (1, 2, 3, 5)})',
    ],
    [
      'pairs of sockets',
      'met(*[call(53, family, 1, 0, ctypes.create_string_buffer(8)) for family in (40, 30, 38)])',
    ],
    ['families above 32 bits', 'met(call(41, (1 << 32) + 40, 1, 0), call(41, -(1 << 32) + 40, 1, 0))'],
  ])('finds only the address families that tests need: %s', async (_, body) => {
    expect(await attackOf(body)).toMatch(/: met( EAFNOSUPPORT)+$/)
  })

  it.each([
    ['a process number', 'old(20)'],
    ['a keyring', 'old(288, 11, -3)'],
    ['a socket by socketcall', 'old(102, 1)'],
    ['a socket', 'old(359, 40, 1)'],
    ['shared memory by ipc', 'old(117, 23, 0, 4096)'],
  ])('ends the program if it is made as by 32-bit programs: %s', async (_, body) => {
    // A kernel that has no such calls ends the program by itself.
    expect(await attackOf(`met('GOT', ${body})`)).toMatch(/SIGSYS|SIGSEGV/)
  })
})

ofPython('an attack on the memory', { timeout: 120_000 }, () => {
  it.each([
    [
      'page tables',
      'kept = mmap.mmap(-1, 1000000 * MiB, mmap.MAP_PRIVATE | 0x4000, mmap.PROT_READ)\nfor at in range(0, 1000000 * MiB, 2 * MiB): kept[at]',
    ],
  ])('ends at the limit: %s', async (_, body) => {
    expect(await attackOf(`${body}\ntime.sleep(20)\nmet('GOT')`)).toMatch(
      /: ran out of memory, of which it has 1 GiB, a fixed limit of the sandbox$/,
    )
  })

  it.each(tableOf<[string, string, string][]>(import.meta.url, 'refused'))(
    'is refused: %s',
    async (_, body, error) => {
      expect(await attackOf(`met(${body})`)).toMatch(new RegExp(`: met ${error}$`))
    },
  )
})

ofPython('an attack on what is installed', { timeout: 120_000 }, () => {
  it.each(tableOf<[string, string][]>(import.meta.url, 'findsNone'))('finds none: %s', async (_, body) => {
    expect(await attackOf(body)).toMatch(/: met \[\]$/)
  })
})

needs('bwrap', 'perl', 'an x64 processor').describe(
  'an attack by system calls of Perl',
  { timeout: 120_000 },
  () => {
    it('is refused as well', async () => {
      const body =
        'print "met ", join(" ", map { syscall(@$_) } [250, 11, -3, 0, 0], [41, 40, 1, 0], [425, 8, 0], [319, 0, 0]), "\\n"; exit 1'
      expect(await recordOf(['perl', 'attack'], body)).toMatch(/: met -1 -1 -1 -1$/)
    })
  },
)
