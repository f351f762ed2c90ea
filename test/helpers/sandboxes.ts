import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../src/package-root.ts'
import { folderPrefix } from '../../src/sandbox/folder-owner.ts'
import { openAdapter, openSandbox, type Sandbox } from '../../src/sandbox/open-sandbox.ts'

/** Bubblewrap as it is here. In CI it has to be here; elsewhere undefined where it is not, and tests of it are left out. */
export async function openBubblewrap(): Promise<Sandbox | undefined> {
  const opened = await openAdapter('bubblewrap')
  if ('run' in opened) return opened
  const why = `bubblewrap cannot be tested: ${opened.missing}. ${opened.remedy}`
  if (process.env.CI) throw new Error(why)
  console.warn(why)
  return undefined
}

/** Every sandbox that works on this machine, by name. */
export async function workingSandboxes(): Promise<[string, Sandbox][]> {
  const bubblewrap = await openBubblewrap()
  const none = await openSandbox('none')
  return [['none', none], ...(bubblewrap ? [['bubblewrap', bubblewrap] satisfies [string, Sandbox]] : [])]
}

/** Text of one of the programs that tests run. */
export const programText = (name: string) =>
  readFileSync(join(packageRoot(), 'fixtures/programs', name), 'utf8')

/** Private folders that this process has made and not removed. */
export const foldersLeft = () => readdirSync(tmpdir()).filter((name) => name.startsWith(folderPrefix()))

/** How many processes of this machine, other than those that ended, have a text on their command line. */
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
