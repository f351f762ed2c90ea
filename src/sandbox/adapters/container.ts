import { basename } from 'node:path'
import { InfrastructureError } from '../../text/errors.ts'
import { homePath, type PrivateFolder, workspacePath } from '../folders/private-folder.ts'
import { fixedEnvironment, type Launch, type Launcher } from '../launcher.ts'
import type { SandboxLimits } from '../limits.ts'
import { runTool } from '../machine/run-tool.ts'
import type { Missing } from '../machine/temporary-folder.ts'
import type { SandboxProgram } from '../sandbox.ts'
import { findOnPath } from '../tools/on-path.ts'

/** The image that programs run in unless BENCH_SANDBOX_IMAGE names another; it holds Python too. */
const defaultImage = 'node:20-bookworm'

/** A container engine that is here and answers. */
export interface ContainerHost {
  engine: 'docker' | 'podman'
  program: string
  image: string
  /** User and group that programs run as: the private folder's owner. */
  user: string
}

/** Finds an engine; what it lacks, and the command that helps, where it cannot be used. */
export async function findContainer(engine: 'docker' | 'podman'): Promise<ContainerHost | Missing> {
  const name = engine === 'docker' ? 'Docker' : 'Podman'
  const program = findOnPath(engine)
  if (!program) return { missing: `${name} is not installed`, remedy: `Install ${name} and start it.` }
  const image = process.env.BENCH_SANDBOX_IMAGE ?? defaultImage
  if (!(await succeeds(program, ['version', '--format', '{{.Server.Version}}'])))
    return { missing: `${name} does not answer`, remedy: `Start ${name}.` }
  if (!(await succeeds(program, ['image', 'inspect', '--format', '{{.Id}}', image])))
    return {
      missing: `the image ${image} is not here`,
      remedy: `Run: ${engine} pull ${image}, or name one that holds node and python3 with BENCH_SANDBOX_IMAGE.`,
    }
  const user = `${process.getuid?.() || 1000}:${process.getgid?.() || 1000}`
  return { engine, program, image, user }
}

/** Puts a program into a container of its own. Its programs are the image's: node and python3 go by their names. */
export function container(host: ContainerHost): Omit<Launcher, 'level'> {
  const [uid] = host.user.split(':').map(Number)
  return {
    // As root we run as another user inside too, who then owns the folder.
    ...(process.getuid?.() === 0 && uid !== undefined && { uid }),
    visibleFolders: [],
    launch(folder, program, limits): Launch {
      if (program.place)
        throw new InfrastructureError(
          `${host.engine} cannot hold an agent; bubblewrap can (--sandbox bubblewrap)`,
        )
      if (program.packages?.length)
        throw new InfrastructureError(
          `${host.engine} cannot show packages of this machine to its own Python; bubblewrap can (--sandbox bubblewrap)`,
        )
      const name = basename(folder.base)
      return {
        file: host.program,
        args: containerOptions(host, name, folder, program, limits),
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
        cwd: folder.base,
        // Killing the client leaves the container running.
        cleanUp: async () => void (await succeeds(host.program, ['rm', '--force', name])),
      }
    },
  }
}

/** The arguments that start one container. */
export function containerOptions(
  { engine, image, user }: ContainerHost,
  name: string,
  folder: Pick<PrivateFolder, 'workspace'>,
  { command, env }: SandboxProgram,
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
    `--memory-swap=${memoryBytes}`, // shared memory counts, and the engine's own filter of system calls holds
    `--shm-size=${fileBytes}`,
    `--ulimit=data=${memoryBytes}:${memoryBytes}`,
    `--ulimit=cpu=${Math.ceil(cpuSeconds)}:${Math.ceil(cpuSeconds) + 1}`,
    `--ulimit=fsize=${fileBytes}:${fileBytes}`,
    `--ulimit=nofile=${openFiles}:${openFiles}`,
    '--ulimit=core=0:0',
    ...['/tmp', homePath].map((path) => `--tmpfs=${path}:${inMemory}`),
    `--mount=type=bind,source=${folder.workspace},target=${workspacePath}`,
    `--workdir=${workspacePath}`,
    ...Object.entries(variables).map(([key, value]) => `--env=${key}=${value}`),
    image,
    programInImage(program),
    ...args,
  ]
}

/** The paths of this machine mean nothing in an image. */
function programInImage(program: string): string {
  if (program === process.execPath) return 'node'
  return program.startsWith('/') && /^python3/.test(basename(program)) ? 'python3' : program
}

async function succeeds(program: string, args: string[]): Promise<boolean> {
  return !(await runTool(program, args, { timeout: 20_000 })).failed
}
