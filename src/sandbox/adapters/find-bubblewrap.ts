import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { findFilter } from '../filter/find-filter.ts'
import { openFilesError, tooManyOpenFiles } from '../machine/open-files.ts'
import { runTool, type ToolResult } from '../machine/run-tool.ts'
import type { Missing } from '../machine/temporary-folder.ts'
import { mountFolders } from '../tools/mount-folders.ts'
import { findOnPath } from '../tools/on-path.ts'
import { findClosedFolder, findToolchain } from '../tools/toolchain.ts'
import type { BubblewrapHost } from './bubblewrap.ts'
import type { OtherUser } from './other-user.ts'

/** A number that neither people nor services have, for programs that root starts. */
export const unprivilegedUser = 61_000

/** What bubblewrap needs of this machine, or the command that brings what is missing. */
export async function findBubblewrap(): Promise<BubblewrapHost | Missing> {
  if (process.platform !== 'linux')
    return { missing: 'it exists for Linux only', remedy: 'Install and start Docker or Podman.' }
  const isRoot = process.getuid?.() === 0
  const [bwrap, prlimit] = ['bwrap', 'prlimit'].map(findOnPath)
  const dropTo = isRoot ? otherUser() : undefined
  if (!bwrap) return notExecutable('bwrap') ?? notInstalled('bubblewrap')
  const [toolchain, version, filter] = await Promise.all([
    findToolchain(),
    versionOf(bwrap),
    findFilter(bwrap),
  ])
  if ('missing' in version) return version
  if (!prlimit || (isRoot && !dropTo)) return notInstalled('util-linux')
  if (isRoot && findClosedFolder(realpathSync(tmpdir())))
    return {
      missing: `the temporary folder ${tmpdir()} is closed to the user that it would run as`,
      remedy: 'Set TMPDIR to a folder that everybody may enter, such as /tmp.',
    }
  return {
    bwrap,
    prlimit,
    disablesUserns: version.major > 0 || version.minor >= 8,
    toolchain,
    ...filter,
    ...(dropTo && { dropTo: await withMountedFolders(dropTo, toolchain.folders) }),
  }
}

function otherUser(): OtherUser | undefined {
  const [setpriv, unshare, nsenter] = ['setpriv', 'unshare', 'nsenter'].map(findOnPath)
  return setpriv && unshare && nsenter ? { setpriv, unshare, nsenter, uid: unprivilegedUser } : undefined
}

async function withMountedFolders(user: OtherUser, folders: readonly string[]): Promise<OtherUser> {
  const closed = folders.filter((folder) => findClosedFolder(dirname(folder)) !== undefined)
  const opened = closed.length > 0 ? await mountFolders(user.unshare, closed, folders) : undefined
  return { ...user, ...(opened && { opened }) }
}

function notInstalled(name: string): Missing {
  const remedy = `Run: sudo apt-get install ${name} (or your system's own way to the same package).`
  return { missing: `${name} is not installed`, remedy }
}

/** A file of that name on the PATH that nobody may execute, where there is one. */
function notExecutable(name: string): Missing | undefined {
  const paths = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)
  const files = paths.map((folder) => join(folder, name))
  const path = files.find((file) => existsSync(file) && statSync(file).isFile())
  if (path === undefined) return undefined
  return { missing: `${path} cannot be executed`, remedy: `Run: sudo chmod +x ${path}` }
}

/** Longest that a program may take to tell its version; ms. */
const patience = 10_000

/** What bubblewrap says that it is, or why it does not even say that. */
async function versionOf(bwrap: string): Promise<{ major: number; minor: number } | Missing> {
  const result = await runTool(bwrap, ['--version'], { timeout: patience })
  if (tooManyOpenFiles(result) !== undefined) throw openFilesError(result)
  if (result.failed) {
    const remedy = `See what ${bwrap} --version says; install bubblewrap again if it fails.`
    return { missing: `bubblewrap does not start (${failureOf(result)})`, remedy }
  }
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(result.stdout) ?? []).map(Number)
  return { major, minor }
}

/** Why a program failed, in its own words where it has any. */
function failureOf({ code, exitCode, timedOut, signal, stderr }: ToolResult): string {
  const [said] = stderr.trim().split('\n', 1)
  if (timedOut) return `no answer in ${patience / 1000} s`
  if (said) return said
  return signal ? `ended by ${signal}` : exitCode === undefined ? `${code}` : `exit code ${exitCode}`
}

/** What to do where bubblewrap is here and cannot make its namespaces. */
export function namespaceRemedy(): string {
  const switches = [
    { name: 'kernel.apparmor_restrict_unprivileged_userns', forbids: '1', allows: '0' },
    { name: 'kernel.unprivileged_userns_clone', forbids: '0', allows: '1' },
  ]
  const shut = switches.find(({ name, forbids }) => sysctl(name) === forbids)
  if (shut) return `Run: sudo sysctl -w ${shut.name}=${shut.allows}`
  if (sysctl('user.max_user_namespaces') === '0') return 'Run: sudo sysctl -w user.max_user_namespaces=10000'
  return 'Inside a container, start it so that it may make namespaces (docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined).'
}

function sysctl(name: string): string | undefined {
  const path = `/proc/sys/${name.replaceAll('.', '/')}`
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}
