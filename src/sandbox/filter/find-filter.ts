import { spawn } from 'node:child_process'
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderPrefix } from '../folders/folder-owner.ts'
import { withoutSecrets } from '../machine/run-tool.ts'
import { hasFilter, seccompFilter } from './seccomp.ts'

/** How to open the filter of system calls, or why programs run without one here. */
type FoundFilter = { openFilter(): number } | { unfiltered: string }

/** Finds out by starting something behind the filter: there are kernels and versions of bubblewrap without filters. */
export async function findFilter(bwrap: string, arch: string = process.arch): Promise<FoundFilter> {
  if (!hasFilter(arch)) return { unfiltered: `bench has no filter of system calls for ${arch} processors` }
  const openFilter = keepInFile(seccompFilter(arch))
  const said = await stderrBehind(bwrap, openFilter)
  // Whatever else keeps bubblewrap from starting is told by the probe.
  const fault = said.split('\n').find((line) => /seccomp/i.test(line))
  return fault === undefined
    ? { openFilter }
    : { unfiltered: `bubblewrap cannot filter system calls (${fault})` }
}

/** Writes bytes once, into a file without a name. Each time it is opened, reading starts at its beginning. */
function keepInFile(bytes: Buffer): () => number {
  const path = join(tmpdir(), `${folderPrefix()}filter`)
  const fd = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  writeSync(fd, bytes)
  return () => openSync(`/proc/self/fd/${fd}`, 'r')
}

function stderrBehind(bwrap: string, openFilter: () => number): Promise<string> {
  const filter = openFilter()
  try {
    const child = spawn(bwrap, ['--ro-bind', '/', '/', '--seccomp', '3', '--', 'true'], {
      env: withoutSecrets(),
      timeout: 10_000,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'ignore', 'pipe', filter],
    })
    return new Promise((resolve) => {
      let said = ''
      child.stderr?.setEncoding('utf8').on('data', (text) => {
        said += text
      })
      child.on('error', () => resolve('')).on('close', () => resolve(said))
    })
  } finally {
    closeSync(filter)
  }
}
