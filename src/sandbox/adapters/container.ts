import { basename } from 'node:path'
import { InfrastructureError } from '../../text/errors.ts'
import { homePath, type PrivateFolder, workspacePath } from '../folders/private-folder.ts'
import { innerStagePaths, stagePathsIn, toolsPath, toolsPathIn } from '../folders/stage-folder.ts'
import { fixedEnvironment, type Launch, type Launcher } from '../launcher.ts'
import type { SandboxLimits } from '../limits.ts'
import { runTool } from '../machine/run-tool.ts'
import type { Missing } from '../machine/temporary-folder.ts'
import type { SandboxProgram } from '../sandbox.ts'
import { findOnPath } from '../tools/on-path.ts'
import { requireShowable } from '../tools/toolchain.ts'

/** The default image, which also has Python. BENCH_SANDBOX_IMAGE overrides it. */
const defaultImage = 'node:20-bookworm'

interface ContainerHost {
  engine: 'docker' | 'podman'
  program: string
  image: string
  /** User and group that programs run as, which own the private folder. */
  user: string
}

/** Finds a container engine, or returns what is missing and the remedy. */
export async function findContainer(engine: 'docker' | 'podman'): Promise<ContainerHost | Missing> {
  const name = engine === 'docker' ? 'Docker' : 'Podman'
  const program = findOnPath(engine)
  if (!program) return { missing: `${name} is not installed`, remedy: `Install ${name} and start it.` }
  const image = process.env.BENCH_SANDBOX_IMAGE ?? defaultImage
  if (!(await succeeds(program, ['version', '--format', '{{.Server.Version}}'])))
    return { missing: `${name} does not answer`, remedy: `Start ${name}.` }
  if (!(await succeeds(program, ['image', 'inspect', '--format', '{{.Id}}', image])))
    return {
      missing: `the image ${image} is not available locally`,
      remedy: `Run: ${engine} pull ${image}, or set BENCH_SANDBOX_IMAGE to an image with node and python3.`,
    }
  const user = `${process.getuid?.() || 1000}:${process.getgid?.() || 1000}`
  return { engine, program, image, user }
}

/** Launches each program in a new container. Programs come from the image: node and python3 are found by name. */
export function container(host: ContainerHost): Omit<Launcher, 'level'> {
  const [uid] = host.user.split(':').map(Number)
  return {
    // If bench runs as root, programs run as another user, who owns the folder.
    ...(process.getuid?.() === 0 && uid !== undefined && { uid }),
    visibleFolders: [],
    launch(folder, program, limits): Launch {
      if (program.place)
        throw new InfrastructureError(
          `${host.engine} cannot run an agent program; bubblewrap can (--sandbox bubblewrap)`,
        )
      if (program.packages?.length)
        throw new InfrastructureError(
          `the Python of ${host.engine} cannot use packages of this machine; bubblewrap can (--sandbox bubblewrap)`,
        )
      const name = basename(folder.base)
      return {
        file: host.program,
        args: containerOptions(host, name, folder, program, limits),
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
        cwd: folder.base,
        // Killing the client does not stop the container.
        cleanUp: async () => void (await succeeds(host.program, ['rm', '--force', name])),
      }
    },
  }
}

/** The arguments that start one container. */
export function containerOptions(
  { engine, image, user }: ContainerHost,
  name: string,
  folder: Pick<PrivateFolder, 'base' | 'workspace'>,
  { command, env, stage, tools }: SandboxProgram,
  limits: SandboxLimits,
): string[] {
  const { cpuSeconds, memoryBytes, processes, fileBytes, openFiles } = limits
  const variables = { HOME: homePath, TMPDIR: homePath, ...fixedEnvironment, ...env }
  const [program = '', ...args] = command
  const inMemory = `rw,nosuid,nodev,size=${fileBytes},mode=1777`
  return [
    'run',
    '--rm',
    '--interactive',
    '--pull=never',
    `--name=${name}`,
    '--hostname=sandbox',
    '--network=none',
    '--read-only',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    `--user=${user}`,
    ...(engine === 'podman' ? ['--userns=keep-id'] : []),
    `--pids-limit=${processes}`,
    `--memory=${memoryBytes}`,
    `--memory-swap=${memoryBytes}`, // includes shared memory; the engine has its own system call filter
    `--shm-size=${fileBytes}`,
    `--ulimit=data=${memoryBytes}:${memoryBytes}`,
    `--ulimit=cpu=${Math.ceil(cpuSeconds)}:${Math.ceil(cpuSeconds) + 1}`,
    `--ulimit=fsize=${fileBytes}:${fileBytes}`,
    `--ulimit=nofile=${openFiles}:${openFiles}`,
    '--ulimit=core=0:0',
    ...['/tmp', homePath].map((path) => `--tmpfs=${path}:${inMemory}`),
    bindMount(folder.workspace, workspacePath),
    ...(tools ? [`${bindMount(toolsPathIn(folder.base), toolsPath)},readonly`] : []),
    ...(stage ? stageMounts(folder) : []),
    `--workdir=${workspacePath}`,
    ...Object.entries(variables).map(([key, value]) => `--env=${key}=${value}`),
    image,
    programInImage(program),
    ...args,
  ]
}

const bindMount = (source: string, target: string) =>
  `--mount=type=bind,source=${requireShowable(source)},target=${target}`

function stageMounts({ base }: Pick<PrivateFolder, 'base'>): string[] {
  const { files, stateFolder, socket } = stagePathsIn(base)
  return [
    `${bindMount(files, innerStagePaths.files)},readonly`,
    bindMount(stateFolder, innerStagePaths.stateFolder),
    bindMount(socket, innerStagePaths.socket),
  ]
}

function programInImage(program: string): string {
  if (program === process.execPath) return 'node'
  return program.startsWith('/') && /^python3/.test(basename(program)) ? 'python3' : program
}

async function succeeds(program: string, args: string[]): Promise<boolean> {
  return !(await runTool(program, args, { timeout: 20_000 })).failed
}
