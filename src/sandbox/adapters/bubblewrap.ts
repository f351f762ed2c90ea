import { copyFileSync, lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { homePath, type PrivateFolder, workspacePath } from '../folders/private-folder.ts'
import { fixedEnvironment, type Launch, type Launcher, type WrapperStatus } from '../launcher.ts'
import type { SandboxLimits } from '../limits.ts'
import type { PackagePart } from '../machine/python-packages.ts'
import { markerVariable } from '../process/process-tree.ts'
import { limitOptions } from '../process/unsandboxed.ts'
import type { AgentPlace, SandboxProgram } from '../sandbox.ts'
import { hideSolutions } from '../tools/hide-solutions.ts'
import { hideInstalledPackages, type InstalledFolder } from '../tools/installed-packages.ts'
import { isInterpreter, isPythonScript } from '../tools/interpreters.ts'
import { requireProgram } from '../tools/on-path.ts'
import {
  existingSystemFolders,
  installFoldersOf,
  isInside,
  isSystemPath,
  realSystemFolders,
  type Toolchain,
} from '../tools/toolchain.ts'
import { asOtherUser, mountedPath, type OtherUser, planMounts } from './other-user.ts'

/** What bubblewrap needs of the machine. */
export interface BubblewrapHost {
  bwrap: string
  /** util-linux's, set inside: there the kernel counts the processes of this sandbox alone. */
  prlimit: string
  /** Given when we are root, whom the kernel's limits do not bind: programs run as this user instead. */
  dropTo?: OtherUser
  /** It can forbid user namespaces inside (0.8.0 and later). */
  disablesUserns: boolean
  /** Opens the filter of system calls; absent where the machine or this bubblewrap takes none. */
  openFilter?(): number
  /** Why it refuses none. */
  unfiltered?: string
  toolchain: Toolchain
}

/** Puts a program into namespaces of its own, with a read-only system and nothing else but its workspace. */
export function bubblewrap(host: BubblewrapHost): Omit<Launcher, 'level'> {
  const system = systemOptions()
  // Nix gives each package a folder of its own, thousands of them: too many to cover.
  const searched = realSystemFolders().filter((folder) => folder !== '/nix/store')
  return {
    ...(host.dropTo && { uid: host.dropTo.uid }),
    visibleFolders: host.toolchain.folders,
    showsSystem: true,
    ...(host.unfiltered !== undefined && { limitation: host.unfiltered }),
    launch(folder, program, limits): Launch {
      const { path, folders } = visibleProgram(program, host.toolchain)
      const [, ...args] = program.command
      // Where they are open, other places are covered: an agent's own, and where other programs are installed.
      const isShared = (place: string) => host.toolchain.folders.includes(place)
      const packages = program.packages ?? []
      const closedRoots = rootsBeside(packages, folders)
      const isOfToolchain = !program.place && closedRoots.length === 0 && folders.every(isShared)
      const opened = isOfToolchain ? host.dropTo?.opened : undefined
      const moved = planMounts(host.dropTo, [...folders, ...closedRoots], folder, opened)
      const sourceOf = (path: string) => mountedPath(moved, path)
      const shown = (places: readonly string[]) =>
        places.flatMap((place) => ['--ro-bind', sourceOf(place), place])
      // What comes with a program's own installation is its own; an interpreter's is what others have installed.
      const others = folders.filter((place) => isShared(place) || isInterpreter(path))
      const needsPackages = program.place !== undefined && isPythonScript(path)
      const isHidden = ({ kind }: InstalledFolder) => kind !== 'python' || !needsPackages
      const inner = [
        host.bwrap,
        ...isolation(host),
        ...system,
        ...shown(folders.filter((place) => !isInTmp(place))),
        ...inMemory(program, limits),
        // What covers /tmp would cover these as well.
        ...shown(folders.filter(isInTmp)),
        ...hideSolutions(folders),
        ...hideInstalledPackages([...searched, ...others], path, isHidden, sourceOf),
        ...packages.flatMap(({ root, name }) => [
          '--ro-bind',
          sourceOf(join(root, name)),
          join(packagesPath, name),
        ]),
        ...ownFolders(folder, program),
        ...environmentOptions(program, host.toolchain),
        '--remount-ro',
        '/dev',
        '--remount-ro',
        '/',
        '--',
        host.prlimit,
        `--nproc=${limits.processes}`,
        ...limitOptions(limits),
        '--',
        ...(program.place ? forwarded(program.place, host.toolchain) : []),
        path,
        ...args,
      ]
      const [file = '', ...rest] = asOtherUser(host.dropTo, inner, moved, opened)
      // Only what finds it again after a crash: an environment cleared inside could still be read of process 1.
      const env = { [markerVariable]: folder.base }
      const { openFilter } = host
      return { file, args: rest, env, cwd: '/', ...(openFilter && { openFilter }) }
    },
    readStatus,
  }
}

function isolation({ disablesUserns, openFilter }: BubblewrapHost): string[] {
  return [
    '--unshare-all',
    '--unshare-user', // --unshare-all alone goes on without where it is forbidden
    ...(disablesUserns ? ['--disable-userns'] : []),
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--uid',
    '1000',
    '--gid',
    '1000',
    '--hostname',
    'sandbox',
    '--json-status-fd',
    '3',
    ...(openFilter ? ['--seccomp', '4'] : []),
  ]
}

function systemOptions(): string[] {
  const folders = existingSystemFolders().flatMap((folder) =>
    lstatSync(folder).isSymbolicLink()
      ? ['--symlink', readlinkSync(folder), folder]
      : ['--ro-bind', folder, folder],
  )
  const settings = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/ssl/openssl.cnf']
  return [
    ...folders,
    ...settings.flatMap((path) => ['--ro-bind-try', path, path]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    // It gives the same zeros, and no memory that could be shared.
    '--dev-bind',
    '/dev/full',
    '/dev/zero',
  ]
}

/** Never /tmp itself: a program right in it is not worth all that others have there. */
const isInTmp = (place: string) => place !== '/tmp' && isInside(place, '/tmp')

function inMemory({ place }: SandboxProgram, { fileBytes }: SandboxLimits): string[] {
  const paths = ['/tmp', '/dev/shm', ...(place ? [] : [homePath])]
  return paths.flatMap((path) => ['--size', String(fileBytes), '--tmpfs', path])
}

function ownFolders(folder: PrivateFolder, { place }: SandboxProgram): string[] {
  return [
    ...(place ? ['--bind', folder.home, homePath, ...gatewayOptions(place, folder)] : []),
    '--bind',
    folder.workspace,
    workspacePath,
    '--chdir',
    workspacePath,
  ]
}

const forwarder = '/gateway/forward.mjs'
const gatewaySocket = '/gateway/socket'

/** The socket of the gateway and the program that leads to it, copied to where the other user may read it. */
function gatewayOptions({ gateway }: AgentPlace, { base }: PrivateFolder): string[] {
  if (gateway.socket === undefined)
    throw new InfrastructureError('the gateway for an agent is not one of a sandbox')
  const copy = join(base, 'forward.mjs')
  copyFileSync(join(packageRoot(), 'src/sandbox/programs/forward.mjs'), copy)
  return ['--dir', '/gateway', '--ro-bind', copy, forwarder, '--bind', gateway.socket, gatewaySocket]
}

/** Starts the forwarder first, which becomes the parent of the program. */
function forwarded({ gateway }: AgentPlace, { programs }: Toolchain): string[] {
  const node = programs.get('node') ?? process.execPath
  return [node, forwarder, gatewaySocket, new URL(gateway.url).port, '--']
}

/** Where packages that a task requires are seen. */
const packagesPath = '/packages'

function environmentOptions({ env, packages = [] }: SandboxProgram, { path }: Toolchain): string[] {
  const variables = {
    PATH: path.join(':'),
    HOME: homePath,
    TMPDIR: homePath,
    ...fixedEnvironment,
    ...(packages.length > 0 && { PYTHONPATH: packagesPath }),
    ...env,
  }
  return ['--clearenv', ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value])]
}

/** Where a program stands inside, and the folders that have to be seen for it. */
function visibleProgram(
  { command, alone }: SandboxProgram,
  toolchain: Toolchain,
): { path: string; folders: string[] } {
  const name = command[0] ?? ''
  const path = toolchain.programs.get(name) ?? requireProgram(name)
  const own = path.startsWith('/') ? installFoldersOf(path) : []
  return { path, folders: [...new Set([...(alone ? [] : toolchain.folders), ...own])] }
}

/** Folders of packages that stand in none of some shown folders, nor in the system's. */
function rootsBeside(parts: readonly PackagePart[], shown: readonly string[]): string[] {
  const roots = [...new Set(parts.map(({ root }) => root))]
  return roots.filter((root) => !isSystemPath(root) && !shown.some((folder) => isInside(root, folder)))
}

/** `--json-status-fd`: a line with the first process once all is set up, one with the exit code of the program. */
function readStatus(text: string): WrapperStatus {
  const init = /"child-pid": *(\d+)/.exec(text)?.[1]
  return { started: text.includes('"exit-code"'), ...(init && { init: Number(init) }) }
}
