import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasFilter } from '../filter/seccomp.ts'
import type { Architecture } from '../filter/syscalls.ts'
import type { Launcher } from '../launcher.ts'
import { defaultLimits } from '../limits.ts'
import { prepareProgram, releaseProgram } from '../process/program.ts'
import { runPrograms } from '../process/spawn.ts'
import type { SandboxResult } from '../sandbox.ts'
import { sharingProgram } from './probe-calls.ts'

/** The result of an attack, or why it was not tried. */
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
