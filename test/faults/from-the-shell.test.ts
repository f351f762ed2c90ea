import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { needs } from '../helpers/house/needs.ts'
import { folderOf, tempFolder } from '../helpers/machine/temp.ts'
import { program, recordsOf, root } from '../helpers/runs/cli.ts'

// Attacks by the command line alone. A task's grader runs the attack, which ends with 0 only if every try of it was refused: the
// verdict is the outcome.

/** Writes a suite with one task for each attack, a body of Python that calls `tried(name, got)`. */
function writeAttacks(cwd: string, attacks: Record<string, string>): void {
  for (const [id, body] of Object.entries(attacks)) {
    const at = join(cwd, 'suite', id)
    const files = {
      'instruction.md': 'Attack.',
      'solution/sol.txt': 'x',
      'tests/keep.txt': 'x',
      'files/attack.py': `import ctypes, mmap, os, time
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
got = []
def tried(name, work):
    try: got.append((name, work()))
    except (OSError, MemoryError): pass
def call(*args):
    result = libc.syscall(*[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    if result < 0: raise OSError(ctypes.get_errno(), 'refused')
    return result
${body}
print(got)
os._exit(1 if got else 0)
`,
      'task.yaml': `id: ${id}
version: 1
title: ${id}
output: files
language: text
editable: ['**']
graders: [{ kind: tests, runner: command, command: [python3, attack.py], expectTests: 1, timeoutMs: 60000 }]
licence: MIT
source: test
properties: { difficulty: 0.1 }
`,
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(at, path, '..'), { recursive: true })
      writeFileSync(join(at, path), text)
    }
  }
}

const args = '--tasks native:suite --methods baseline --agents no-op --parallel 1 --out r --quiet'
const verdicts = (cwd: string) =>
  Object.fromEntries(
    recordsOf(join(cwd, 'r')).map(({ task, passed, sandbox, outcome }) => [
      task.split('/').at(-1),
      `${outcome.status} ${passed} ${sandbox}`,
    ]),
  )

/** Attacks that must succeed, so that a refusal of the others means something. */
const control = { control: "tried('own file', lambda: open('attack.py').read(1))" }

const ofPython = needs('bwrap', 'python3', 'an x64 processor', 'bash')

const secret = 'KEYRING-SECRET-5512'
/** Plants a secret in a session keyring of its own, and starts the command there. */
const plant = `import ctypes, os, sys
libc = ctypes.CDLL(None)
libc.syscall(250, 1, None); libc.syscall(248, b'user', b'of-the-user', b'${secret}', ${secret.length}, -3)
os.execvp(sys.argv[1], sys.argv[1:])`
const search = (name: string) => `call(250, 10, ring, b'user', b'${name}', 0)`
const inEachRing = (name: string, work: string) =>
  `for ring in (-1, -2, -3, -4, -5): tried('${name}', lambda: ${work})`

ofPython.it('no keyring of the user and none of another trial is reached', { timeout: 120_000 }, () => {
  const cwd = tempFolder()
  writeAttacks(cwd, {
    ...control,
    'a-leave': `${inEachRing('read', search('of-the-user'))}\n${inEachRing('left', "call(248, b'user', b'left', b'x', 1, ring)")}`,
    'b-find': inEachRing('found', search('left')),
  })
  execFileSync('python3', ['-c', plant, process.execPath, program, 'run', ...args.split(' ')], { cwd })
  expect(verdicts(cwd)).toEqual({
    control: 'completed false full',
    'a-leave': 'completed true full',
    'b-find': 'completed true full',
  })
})

const fill = 'for at in range(0, len(m), 4096): m[at] = 1'

ofPython.it('no kind of memory is had beyond the limit', { timeout: 240_000 }, () => {
  const cwd = tempFolder()
  const cases = {
    'shared-mmap': "tried('shared', lambda: mmap.mmap(-1, 3 << 29))",
    memfd: "tried('memfd', lambda: os.memfd_create('x'))",
    sysv: "tried('shmget', lambda: call(29, 0, 1300 << 20, 0o1600))",
    files: `kept = []
for i in range(24):
    f = open(f'f{i}', 'w+b'); f.truncate(60 << 20); m = mmap.mmap(f.fileno(), 60 << 20); kept.append((f, m))
    ${fill}
got.append('1440 MiB of files')`,
    removed: `kept = []
for i in range(24):
    f = open(f'f{i}', 'w+b'); os.unlink(f'f{i}'); kept.append(f); f.write(b'x' * (60 << 20)); f.flush()
got.append('1440 MiB of removed files')`,
  }
  // An attack that the sandbox ends does not pass, nor does one that gets what it wants: only the reason tells them apart.
  writeAttacks(cwd, cases)
  const changing = args.replace('no-op', 'oracle')
  execFileSync(process.execPath, [program, 'run', ...changing.split(' ')], { cwd })
  const reasons = Object.fromEntries(
    recordsOf(join(cwd, 'r')).map(({ task, passed, scores }) => [
      task.split('/').at(-1),
      passed ? 'refused' : (scores[0]?.reason ?? ''),
    ]),
  )
  expect(reasons).toEqual({
    'shared-mmap': 'refused',
    memfd: 'refused',
    sysv: 'refused',
    files: expect.stringMatching(/was ended: its files exceeded 512 MiB together/),
    removed: expect.stringMatching(/was ended: its files exceeded 512 MiB together/),
  })
})

const firstProcess = `libc.ptrace.restype = ctypes.c_long
for request in (16, 0x4206): tried('ptrace', lambda: call(101, request, 1, 0, 0))
tried('traced by it', lambda: call(101, 0, 0, 0, 0))
one = (ctypes.c_char * 16)()
class Part(ctypes.Structure): _fields_ = [('at', ctypes.c_void_p), ('bytes', ctypes.c_size_t)]
part = Part(ctypes.addressof(one), 16)
for number in (310, 311): tried('memory', lambda: call(number, 1, ctypes.byref(part), 1, ctypes.byref(part), 1, 0))
for fd in (0, 4, 6): tried('pidfd_getfd', lambda: call(438, call(434, 1, 0), fd, 0))
tried('kcmp', lambda: call(312, 1, 1, 0, 0, 0))
tried('limit', lambda: call(302, 1, 0, (ctypes.c_ulong * 2)(1, 1), None))
for name in ('cmdline', 'mem', 'environ', 'fd/4', 'oom_score_adj', 'root/etc', 'task/1/mem'): tried(name, lambda: os.open('/proc/1/' + name, os.O_RDONLY))
for name in ('cmdline', 'keys', 'locks', 'sys/kernel/random/boot_id'): tried(name, lambda: open('/proc/' + name).read(1))
tried('lease', lambda: call(72, os.open('/usr/bin/env', os.O_RDONLY), 1024, 0))
tried('notice', lambda: call(72, os.open('/usr/bin', os.O_RDONLY), 1026, 1))`

/** Tries every descriptor: reads, writes, lists it and goes up from it. */
const descriptors = `up = lambda fd: os.listdir(os.open('../../../..', os.O_RDONLY, dir_fd=fd))
for fd in range(3, 1024):
    if os.path.lexists(f'/proc/self/fd/{fd}') and os.readlink(f'/proc/self/fd/{fd}') != '/dev/null':
        for work in (lambda: os.read(fd, 9), lambda: os.write(fd, b'x'), lambda: os.listdir(fd), lambda: up(fd)): tried(fd, work)`

const leftOpen = 'exec 3<d 4>>lock 5<d 6<d 7</ 8</ 9</ 63<d/victim 200>>lock 201<d; exec {free}<d;'

ofPython.it.each([
  ['the command line', `exec "$0" "$1" run ${args}`],
  ['a program that imports bench', 'exec "$0" own.mjs'],
])('%s hands on no descriptor of its caller, nor its first process', { timeout: 120_000 }, (_, start) => {
  const cwd = folderOf({ 'd/victim': 'outside', lock: '' })
  const api = pathToFileURL(join(root, 'dist/bench/api.js'))
  writeFileSync(
    join(cwd, 'own.mjs'),
    `import { run } from '${api}'\nawait run({ tasks: ['native:suite'], methods: ['baseline'], agents: 'no-op', parallel: 1, out: 'r' })`,
  )
  writeAttacks(cwd, { ...control, descriptors, 'first-process': firstProcess })
  const { status, stderr } = spawnSync('bash', ['-c', `${leftOpen} ${start}`, process.execPath, program], {
    cwd,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) })
  expect(verdicts(cwd)).toEqual({
    control: 'completed false full',
    descriptors: 'completed true full',
    'first-process': 'completed true full',
  })
  expect(readFileSync(join(cwd, 'lock'), 'utf8')).toBe('')
  expect(readdirSync(join(cwd, 'd'))).toEqual(['victim'])
})
