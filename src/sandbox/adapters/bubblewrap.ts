import { copyFileSync, lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../base/package-root.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { homePath, type PrivateFolder, workspacePath } from '../folders/private-folder.ts'
import { innerStagePaths, stagePathsIn, toolsPath, toolsPathIn } from '../folders/stage-folder.ts'
import { fixedEnvironment, type Launch, type Launcher, type WrapperStatus } from '../launcher.ts'
import type { SandboxLimits } from '../limits.ts'
import type { PackagePart } from '../machine/python-packages.ts'
import { markerVariable } from '../process/process-tree.ts'
import { limitOptions } from '../process/unsandboxed.ts'
import type { AgentPlace, SandboxProgram } from '../sandbox.ts'
import {
  hideInstalledPackages,
  hideProcessFiles,
  hideSolutions,
  type InstalledFolder,
} from '../tools/hidden-folders.ts'
import { requireProgram } from '../tools/on-path.ts'
import {
  existingSystemFolders,
  installFoldersOf,
  isInside,
  isInterpreter,
  isPythonScript,
  isSystemPath,
  realSystemFolders,
  requireShowable,
  type Toolchain,
} from '../tools/toolchain.ts'
import { asOtherUser, mountedPath, type OtherUser, planMounts } from './other-user.ts'

/** What bubblewrap needs on the machine. */
export interface BubblewrapHost {
  bwrap: string
  /** util-linux's prlimit. It runs inside, where the kernel counts only the processes of this sandbox. */
  prlimit: string
  /** The user that programs run as if bench runs as root, since kernel limits do not apply to root. */
  dropTo?: OtherUser
  /** Whether it can disable user namespaces inside (0.8.0 and later). */
  disablesUserns: boolean
  /** Opens the system call filter; absent if the machine or this bubblewrap does not support one. */
  openFilter?(): number
  /** Why there is no filter. */
  unfiltered?: string
  toolchain: Toolchain
}

/** Launches programs in new namespaces, with a read-only system, their workspace, and nothing else. */
export function bubblewrap(host: BubblewrapHost): Omit<Launcher, 'level'> {
  const system = systemOptions()
  // Nix has one folder per package, thousands of them: too many to hide.
  const searched = realSystemFolders().filter((folder) => folder !== '/nix/store')
  return {
    ...(host.dropTo && { uid: host.dropTo.uid }),
    passesDescriptors: true,
    visibleFolders: host.toolchain.folders,
    showsSystem: true,
    ...(host.unfiltered !== undefined && { limitation: host.unfiltered }),
    notes: [...host.toolchain.silent.values()].map((why) => `${why}; the sandbox does not show it`),
    launch(folder, program, limits): Launch {
      const { path, folders } = visibleProgram(program, host.toolchain)
      const [, ...args] = program.command
      // The shared mount namespace covers other folders, such as an agent's, so it is used only if no other folder is needed.
      const isShared = (place: string) => host.toolchain.folders.includes(place)
      const packages = program.packages ?? []
      const closedRoots = rootsBeside(packages, folders)
      const isOfToolchain = !program.place && closedRoots.length === 0 && folders.every(isShared)
      const mounted = isOfToolchain ? host.dropTo?.mounted : undefined
      const mounts = planMounts(host.dropTo, [...folders, ...closedRoots], folder, mounted)
      const sourceOf = (path: string) => mountedPath(mounts, path)
      const shown = (places: readonly string[]) =>
        places.flatMap((place) => bind('--ro-bind', sourceOf(place), place))
      // Packages in a program's own installation belong to it; an interpreter's packages were installed by others.
      const others = folders.filter(
        (place) =>
          (isShared(place) || isInterpreter(path)) &&
          (program.shows === undefined || !isInside(place, program.shows)),
      )
      const needsPackages = program.place !== undefined && isPythonScript(path)
      const isHidden = ({ kind }: InstalledFolder) => kind !== 'python' || !needsPackages
      const inner = [
        host.bwrap,
        ...isolation(host),
        ...system,
        ...shown(folders.filter((place) => !isInTmp(place))),
        ...inMemory(program, limits),
        // After the mount over /tmp, which would hide them.
        ...shown(folders.filter(isInTmp)),
        ...hideSolutions(folders),
        ...hideInstalledPackages([...searched, ...others], path, isHidden, sourceOf),
        ...packages.flatMap(({ root, name }) =>
          bind('--ro-bind', sourceOf(join(root, name)), join(packagesPath, name)),
        ),
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
      const [file = '', ...rest] = asOtherUser(host.dropTo, inner, mounts, mounted)
      // Only the marker for the sweep: process 1 inside shows its initial environment even after it is cleared.
      const env = { [markerVariable]: folder.base }
      const { openFilter } = host
      return { file, args: rest, env, cwd: '/', ...(openFilter && { openFilter }) }
    },
    readStatus,
  }
}

/** The words that show `from` at `at`. Throws `InfrastructureError` for a path that a failed search may have led to. */
const bind = (option: string, from: string, at: string) => [option, requireShowable(from), at]

function isolation({ disablesUserns, openFilter }: BubblewrapHost): string[] {
  return [
    '--unshare-all',
    '--unshare-user', // required: --unshare-all only tries it
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
      : bind('--ro-bind', folder, folder),
  )
  const settings = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/ssl/openssl.cnf']
  return [
    ...folders,
    ...settings.flatMap((path) => ['--ro-bind-try', path, path]),
    '--proc',
    '/proc',
    ...hideProcessFiles(),
    '--dev',
    '/dev',
    // /dev/full returns the same zeros, but cannot be mapped as shared memory.
    '--dev-bind',
    '/dev/full',
    '/dev/zero',
  ]
}

/** /tmp itself is excluded: it would show other users' files. */
const isInTmp = (place: string) => place !== '/tmp' && isInside(place, '/tmp')

function inMemory({ place }: SandboxProgram, { fileBytes }: SandboxLimits): string[] {
  const paths = ['/tmp', '/dev/shm', ...(place ? [] : [homePath])]
  return paths.flatMap((path) => ['--size', String(fileBytes), '--tmpfs', path])
}

function ownFolders(folder: PrivateFolder, { place, stage, tools }: SandboxProgram): string[] {
  return [
    ...(tools ? ['--ro-bind', toolsPathIn(folder.base), toolsPath] : []),
    ...(stage ? stageOptions(folder) : []),
    ...(place ? [...bind('--bind', folder.home, homePath), ...gatewayOptions(place, folder)] : []),
    ...bind('--bind', folder.workspace, workspacePath),
    '--chdir',
    workspacePath,
  ]
}

function stageOptions({ base }: PrivateFolder): string[] {
  const { files, stateFolder, socket } = stagePathsIn(base)
  return [
    ...bind('--ro-bind', files, innerStagePaths.files),
    ...bind('--bind', stateFolder, innerStagePaths.stateFolder),
    ...bind('--bind', socket, innerStagePaths.socket),
  ]
}

const forwarder = '/gateway/forward.mjs'
const gatewaySocket = '/gateway/socket'

/** Mounts the gateway's socket and the forwarder, which is copied to where the other user may read it. */
function gatewayOptions({ gateway }: AgentPlace, { base }: PrivateFolder): string[] {
  if (gateway.socket === undefined)
    throw new InfrastructureError('the gateway of an agent in a sandbox needs a unix socket')
  const copy = join(base, 'forward.mjs')
  copyFileSync(join(packageRoot(), 'src/sandbox/programs/forward.mjs'), copy)
  const socket = bind('--bind', gateway.socket, gatewaySocket)
  return ['--dir', '/gateway', ...bind('--ro-bind', copy, forwarder), ...socket]
}

function forwarded({ gateway }: AgentPlace, { programs }: Toolchain): string[] {
  const node = programs.get('node') ?? process.execPath
  return [node, forwarder, gatewaySocket, new URL(gateway.url).port, '--']
}

const packagesPath = '/packages'

function environmentOptions({ env, packages = [] }: SandboxProgram, { path }: Toolchain): string[] {
  const variables = {
    PATH: path.map(requireShowable).join(':'),
    HOME: homePath,
    TMPDIR: homePath,
    ...fixedEnvironment,
    ...(packages.length > 0 && { PYTHONPATH: packagesPath }),
    ...env,
  }
  return ['--clearenv', ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value])]
}

/** Returns the path of a program inside, and the folders that must be visible for it. */
function visibleProgram(
  { command, standalone, shows }: SandboxProgram,
  toolchain: Toolchain,
): { path: string; folders: string[] } {
  const name = command[0] ?? ''
  const silent = toolchain.silent.get(name)
  // Another program of this name, among the system's, would give other results.
  if (silent !== undefined) throw new InfrastructureError(`${name} cannot be started: ${silent}`)
  const path = toolchain.programs.get(name) ?? requireProgram(name)
  const own = path.startsWith('/') ? installFoldersOf(path) : []
  const shown = shows === undefined ? [] : [shows]
  return { path, folders: [...new Set([...(standalone ? [] : toolchain.folders), ...own, ...shown])] }
}

function rootsBeside(parts: readonly PackagePart[], shown: readonly string[]): string[] {
  const roots = [...new Set(parts.map(({ root }) => root))]
  return roots.filter((root) => !isSystemPath(root) && !shown.some((folder) => isInside(root, folder)))
}

/** Parses `--json-status-fd`: one line with the first process after setup, one with the exit code of the program. */
function readStatus(text: string): WrapperStatus {
  const init = /"child-pid": *(\d+)/.exec(text)?.[1]
  return { started: text.includes('"exit-code"'), ...(init && { init: Number(init) }) }
}
