import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Launcher } from './launcher.ts'
import { defaultLimits } from './limits.ts'
import { sharingProgram } from './probe-calls.ts'
import { prepareProgram, releaseProgram } from './program.ts'
import { hasFilter } from './seccomp.ts'
import { runPrograms } from './spawn.ts'

/** What became of an attack that was tried, or why it was not. */
interface Outcome {
  held: boolean
  detail: string
}

const limits = { ...defaultLimits, memoryBytes: 64 * 1024 ** 2 }
const filledBytes = 2 * limits.memoryBytes

/** Fills more shared memory than a program may have, which the kernel does not refuse, and looks whether it is ended for that. */
export async function probeSharedMemory(launcher: Omit<Launcher, 'level'>): Promise<Outcome> {
  if (!hasFilter(process.arch)) return untried(`no program for ${process.arch}`)
  const whole: Launcher = { ...launcher, level: 'none' }
  // Where the one place may not hold programs the other may.
  const command = ['/bin/sh', '-c', 'cp fill /tmp/fill && /tmp/fill || ./fill']
  const program = prepareProgram(whole, { files: {}, command, alone: true }, limits)
  try {
    const bytes = sharingProgram(process.arch, filledBytes)
    writeFileSync(join(program.folder.workspace, 'fill'), bytes, { mode: 0o755 })
    const { timedOut, ended, killedBy, stderr } = await runPrograms(
      [program],
      { files: {}, command, timeoutMs: 3000 },
      limits,
      whole,
    )
    if (timedOut) return { held: false, detail: 'it worked' }
    if (ended === 'memory' || killedBy === 'SIGKILL')
      return {
        held: true,
        detail: `ended by ${ended === 'memory' ? 'the harness, which looks at it' : killedBy}`,
      }
    return untried(stderr.trim())
  } finally {
    await releaseProgram(program)
  }
}

const untried = (why: string): Outcome => ({ held: false, detail: `not tried: ${why}` })
