import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../../src/base/package-root.ts'
import { folderPrefix } from '../../../src/sandbox/folders/folder-owner.ts'
import { openAdapter, type Sandbox } from '../../../src/sandbox/open-sandbox.ts'
import type { Need } from '../house/needs.ts'

/** The tested sandboxes by name, each with its requirements. */
export const sandboxes: readonly (readonly ['none' | 'bubblewrap', readonly Need[]])[] = [
  ['none', []],
  ['bubblewrap', ['bwrap']],
]

/** Opens bubblewrap; undefined if it is missing, and its tests are skipped. */
export async function openBubblewrap(): Promise<Sandbox | undefined> {
  const opened = await openAdapter('bubblewrap')
  return 'run' in opened ? opened : undefined
}

/** Text of one of the programs that tests run. */
export const programText = (name: string) =>
  readFileSync(join(packageRoot(), 'fixtures/programs', name), 'utf8')

/** Private folders that this process has made and not removed. */
export const foldersLeft = () => readdirSync(tmpdir()).filter((name) => name.startsWith(folderPrefix()))

/** Returns the number of running processes with this text on their command line. */
export function running(token: string): number {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      return ''
    }
  }
  return readdirSync('/proc').filter(
    (pid) =>
      /^\d+$/.test(pid) &&
      read(`/proc/${pid}/cmdline`).includes(token) &&
      !/\) [ZX] /.test(read(`/proc/${pid}/stat`)),
  ).length
}
