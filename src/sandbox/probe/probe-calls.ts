import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RawCall, rawCallsProgram } from '../filter/raw-calls.ts'
import { hasFilter } from '../filter/seccomp.ts'
import type { Architecture } from '../filter/syscalls.ts'
import type { Launcher } from '../launcher.ts'
import { defaultLimits } from '../limits.ts'
import { prepareProgram, releaseProgram } from '../process/program.ts'
import { runPrograms } from '../process/spawn.ts'
import type { SandboxResult } from '../sandbox.ts'

/** An attack by system calls. It fails if every call that returned gave one of `errors`, or any error if there are none. */
interface CallAttack {
  attack: string
  /** Indexes of the program's calls that belong to it. */
  calls: readonly number[]
  errors?: readonly number[]
}

interface CallAttacks {
  program: Buffer
  /** The number of calls that always return; the call after them may end the program. */
  returning: number
  attacks: readonly CallAttack[]
}

interface Numbers {
  addKey: number
  requestKey: number
  keyctl: number
  ioUringSetup: number
  socket: number
  mmap: number
  ppoll: number
  ptrace: number
  processVmReadv: number
  pidfdGetfd: number
  kcmp: number
  prlimit: number
}

const numbersOf: Readonly<Record<Architecture, Numbers>> = {
  x64: {
    ...{ addKey: 248, requestKey: 249, keyctl: 250, ioUringSetup: 425, socket: 41, mmap: 9, ppoll: 271 },
    ...{ ptrace: 101, processVmReadv: 310, pidfdGetfd: 438, kcmp: 312, prlimit: 302 },
  },
  arm64: {
    ...{ addKey: 217, requestKey: 218, keyctl: 219, ioUringSetup: 425, socket: 198, mmap: 222, ppoll: 73 },
    ...{ ptrace: 117, processVmReadv: 270, pidfdGetfd: 438, kcmp: 272, prlimit: 261 },
  },
}

const [EPERM, ENOSYS] = [-1, -38]
const keyctlRead = 11
/** The process keyring, which ends with the process, and the user's session keyring. */
const [processKeyring, sessionKeyring] = [-2, -3]
/** PTRACE_SEIZE, which does not stop the process. */
const ptraceSeize = 0x4206
/** RLIMIT_CPU. */
const processorTime = 0
/** AF_VSOCK, AF_ALG, AF_PACKET, AF_BLUETOOTH. */
const foreignFamilies = [40, 38, 17, 31]
const x32 = 0x40000000

/** Returns the attacks that need system calls of their own. */
export function callAttacks(arch: Architecture): CallAttacks {
  const { addKey, requestKey, keyctl, ioUringSetup, socket } = numbersOf[arch]
  const { ptrace, processVmReadv, pidfdGetfd, kcmp, prlimit } = numbersOf[arch]
  const keyring: RawCall[] = [
    { number: addKey, args: ['user', 'bench-probe', 'x', 1, processKeyring] },
    { number: requestKey, args: ['user', 'bench-probe', 0, processKeyring] },
    { number: keyctl, args: [keyctlRead, sessionKeyring, 0, 0] },
  ]
  const sockets = foreignFamilies.map((family): RawCall => ({ number: socket, args: [family, 1, 0] }))
  const other: RawCall[] = arch === 'x64' ? [{ number: x32 + socket, args: [1, 1, 0] }] : []
  // The first process of bubblewrap reports how the program ended.
  const onFirstProcess: RawCall[] = [
    { number: ptrace, args: [ptraceSeize, 1, 0, 0] },
    { number: processVmReadv, args: [1, 0, 0, 0, 0, 0] },
    { number: pidfdGetfd, args: [-1, 0, 0] },
    { number: kcmp, args: [1, 1, 0, 0, 0] },
    { number: prlimit, args: [1, processorTime, 0, 0] },
  ]
  const calls = [...keyring, ...onFirstProcess, { number: ioUringSetup, args: [1, 0] }, ...sockets, ...other]
  const ioUring = keyring.length + onFirstProcess.length
  const from = ioUring + 1
  const upTo = (start: number, end: number) => Array.from({ length: end - start }, (_, at) => start + at)
  return {
    program: rawCallsProgram(arch, calls),
    returning: calls.length,
    attacks: [
      { attack: 'keyring', calls: upTo(0, keyring.length), errors: [EPERM, ENOSYS] },
      { attack: 'trace', calls: upTo(keyring.length, ioUring), errors: [EPERM, ENOSYS] },
      { attack: 'io-uring', calls: [ioUring], errors: [EPERM, ENOSYS] },
      { attack: 'vsock', calls: upTo(from, from + sockets.length) },
      // The last call is the one that the program makes as 32-bit programs do.
      ...(arch === 'x64'
        ? [{ attack: 'other-calls', calls: upTo(from + sockets.length, calls.length + 1) }]
        : []),
    ],
  }
}

const [readAndWrite, sharedAndFilled, withoutFile] = [3, 0x8001, 0x20]

/**
 * Returns a program that fills shared memory in each way that needs no file, and prints the results of its calls. Its descriptor
 * `zero` is `/dev/zero`. With `stays` it does not end.
 */
function sharingProgram(arch: Architecture, bytes: number, zero: number, stays: boolean): Buffer {
  const { mmap, ppoll } = numbersOf[arch]
  return rawCallsProgram(arch, [
    { number: mmap, args: [0, bytes, readAndWrite, sharedAndFilled | withoutFile, -1, 0] },
    { number: mmap, args: [0, bytes, readAndWrite, sharedAndFilled, zero, 0] },
    ...(stays ? [{ number: ppoll, args: [0, 0, 0, 0] }] : []),
  ])
}

interface Outcome {
  held: boolean
  detail: string
}

const limits = { ...defaultLimits, memoryBytes: 64 * 1024 ** 2 }
const filledBytes = 2 * limits.memoryBytes
const zero = 5

/** Fills more shared memory than the limit, and checks that the call is refused or the program is ended. */
export async function probeSharedMemory(launcher: Omit<Launcher, 'level'>): Promise<Outcome> {
  const { arch } = process
  if (!hasFilter(arch)) return untried(`the probe has no program for ${arch} processors`)
  const { stdout } = await fill(launcher, arch, false)
  if (bothRefused.test(stdout)) return { held: true, detail: 'refused' }
  const { timedOut, ended, killedBy, stderr } = await fill(launcher, arch, true)
  if (timedOut) return { held: false, detail: 'the attack succeeded' }
  if (ended === 'memory') return { held: true, detail: 'ended by the harness, which measures shared memory' }
  return killedBy === 'SIGKILL' ? { held: true, detail: `ended by ${killedBy}` } : untried(stderr.trim())
}

/** Two results that are errors: bytes that are not UTF-8. A valid address holds a zero byte. */
const bothRefused = /^\uFFFD{16}/

async function fill(
  launcher: Omit<Launcher, 'level'>,
  arch: Architecture,
  stays: boolean,
): Promise<SandboxResult> {
  const whole: Launcher = { ...launcher, level: 'none' }
  // Some folders do not allow programs.
  const script = `exec ${zero}<> /dev/zero; cp fill /tmp/fill && /tmp/fill || ./fill`
  const command = ['/bin/sh', '-c', script]
  const program = prepareProgram(whole, { files: {}, command, standalone: true }, limits)
  try {
    const bytes = sharingProgram(arch, filledBytes, zero, stays)
    writeFileSync(join(program.folder.workspace, 'fill'), bytes, { mode: 0o755 })
    return await runPrograms([program], { files: {}, command, timeoutMs: 3000 }, limits, whole)
  } finally {
    await releaseProgram(program)
  }
}

const untried = (why: string): Outcome => ({ held: false, detail: `not tried: ${why}` })
