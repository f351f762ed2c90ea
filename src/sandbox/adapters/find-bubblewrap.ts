import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { hasFilter, seccompFilter } from '../filter/seccomp.ts'
import { folderPrefix } from '../folders/folder-owner.ts'
import { openFilesError, tooManyOpenFiles } from '../machine/open-files.ts'
import { runTool, type ToolResult, withoutSecrets } from '../machine/run-tool.ts'
import { startProcess } from '../machine/start-process.ts'
import type { Missing } from '../machine/temporary-folder.ts'
import { mountFolders } from '../tools/mount-folders.ts'
import { findOnPath } from '../tools/on-path.ts'
import { findClosedFolder, findToolchain } from '../tools/toolchain.ts'
import type { BubblewrapHost } from './bubblewrap.ts'
import type { OtherUser } from './other-user.ts'

/** The user id for programs that root starts; no person or service uses it. */
export const unprivilegedUser = 61_000

/** Finds what bubblewrap needs on this machine, or what is missing and the command that installs it. */
export async function findBubblewrap(): Promise<BubblewrapHost | Missing> {
  if (process.platform !== 'linux')
    return { missing: 'bubblewrap is available only on Linux', remedy: 'Install and start Docker or Podman.' }
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
  if (!prlimit || (isRoot && !dropTo)) return { ...notInstalled('util-linux'), broken: true }
  if (isRoot && findClosedFolder(realpathSync(tmpdir())))
    return {
      missing: `the temporary folder ${tmpdir()} cannot be entered by the user that programs run as`,
      remedy: 'Set TMPDIR to a folder that every user may enter, such as /tmp.',
      broken: true,
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
  const mounted = closed.length > 0 ? await mountFolders(user.unshare, closed, folders) : undefined
  return { ...user, ...(mounted && { mounted }) }
}

function notInstalled(name: string): Missing {
  const remedy = `Run: sudo apt-get install ${name} (or install the package with your system's package manager).`
  return { missing: `${name} is not installed`, remedy }
}

/** Reports a file of that name on PATH that is not executable; undefined if there is none. */
function notExecutable(name: string): Missing | undefined {
  const paths = (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)
  const files = paths.map((folder) => join(folder, name))
  const path = files.find((file) => existsSync(file) && statSync(file).isFile())
  if (path === undefined) return undefined
  return { missing: `${path} cannot be executed`, remedy: `Run: sudo chmod +x ${path}`, broken: true }
}

const versionTimeoutMs = 10_000

/** Returns bubblewrap's version, or why it does not report one. */
async function versionOf(bwrap: string): Promise<{ major: number; minor: number } | Missing> {
  const ask = () => runTool(bwrap, ['--version'], { timeout: versionTimeoutMs })
  const first = await ask()
  const result = first.failed ? await ask() : first
  if (tooManyOpenFiles(result) !== undefined) throw openFilesError(result)
  if (result.failed) {
    const remedy = `Run \`${bwrap} --version\`; reinstall bubblewrap if it fails.`
    return { missing: `bubblewrap does not start (${failureOf(result)})`, remedy, broken: true }
  }
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(result.stdout) ?? []).map(Number)
  return { major, minor }
}

function failureOf({ code, exitCode, timedOut, signal, stderr }: ToolResult): string {
  const [said] = stderr.trim().split('\n', 1)
  if (timedOut) return `no answer in ${versionTimeoutMs / 1000} s`
  if (said) return said
  return signal ? `ended by ${signal}` : exitCode === undefined ? `${code}` : `exit code ${exitCode}`
}

/** Returns the remedy if bubblewrap is installed but cannot create its namespaces. */
export function namespaceRemedy(): string {
  const switches = [
    { name: 'kernel.apparmor_restrict_unprivileged_userns', forbids: '1', allows: '0' },
    { name: 'kernel.unprivileged_userns_clone', forbids: '0', allows: '1' },
  ]
  const blocking = switches.find(({ name, forbids }) => sysctl(name) === forbids)
  if (blocking) return `Run: sudo sysctl -w ${blocking.name}=${blocking.allows}`
  if (sysctl('user.max_user_namespaces') === '0') return 'Run: sudo sysctl -w user.max_user_namespaces=10000'
  return 'In a container, allow namespaces: docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined.'
}

function sysctl(name: string): string | undefined {
  const path = `/proc/sys/${name.replaceAll('.', '/')}`
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

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
