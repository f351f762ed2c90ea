import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderPrefix } from '../folders/folder-owner.ts'
import { withoutSecrets } from '../machine/run-tool.ts'
import { startProcess } from '../machine/start-process.ts'
import { hasFilter, seccompFilter } from './seccomp.ts'

/** How to open the system call filter, or why programs run without one. */
type FoundFilter = { openFilter(): number } | { unfiltered: string }

/** Finds the filter, and tests it by starting a program: some kernels and versions of bubblewrap do not support filters. */
export async function findFilter(bwrap: string, arch: string = process.arch): Promise<FoundFilter> {
  if (!hasFilter(arch)) return { unfiltered: `bench has no system call filter for ${arch} processors` }
  const openFilter = keepInFile(seccompFilter(arch))
  const stderr = await stderrWithFilter(bwrap, openFilter)
  // The probe reports any other error of bubblewrap.
  const fault = stderr.split('\n').find((line) => /seccomp/i.test(line))
  return fault === undefined
    ? { openFilter }
    : { unfiltered: `bubblewrap cannot filter system calls (${fault})` }
}

/** Writes bytes to an unlinked file. Returns a function that opens it for reading from the start. */
function keepInFile(bytes: Buffer): () => number {
  const path = join(tmpdir(), `${folderPrefix()}filter`)
  const fd = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  writeSync(fd, bytes)
  return () => openSync(`/proc/self/fd/${fd}`, 'r')
}

function stderrWithFilter(bwrap: string, openFilter: () => number): Promise<string> {
  const filter = openFilter()
  try {
    const child = startProcess(bwrap, ['--ro-bind', '/', '/', '--seccomp', '3', '--', 'true'], {
      env: withoutSecrets(),
      timeout: 10_000,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'ignore', 'pipe', filter],
    })
    return new Promise((resolve) => {
      let stderr = ''
      child.stderr?.setEncoding('utf8').on('data', (text) => {
        stderr += text
      })
      child.on('error', () => resolve('')).on('close', () => resolve(stderr))
    })
  } catch {
    // A file that is no program, or one of another processor: its version, which it does not tell, is the problem.
    return Promise.resolve('')
  } finally {
    closeSync(filter)
  }
}
