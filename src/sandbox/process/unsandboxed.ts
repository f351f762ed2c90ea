import { existsSync, mkdirSync } from 'node:fs'
import { delimiter } from 'node:path'
import { fixedEnvironment, type Launch, type Launcher } from '../launcher.ts'
import type { SandboxLimits } from '../limits.ts'
import { openFileLimit } from '../machine/open-files.ts'
import type { PackagePart } from '../machine/python-packages.ts'
import { absolutePath } from '../machine/run-tool.ts'
import { findOnPath, requireProgram } from '../tools/on-path.ts'
import { markerVariable } from './process-tree.ts'

/** Starts programs with only a private folder, a fixed environment and, on Linux, limits. */
export const unsandboxed: Launcher = {
  level: 'none',
  inPlace: true,
  passesDescriptors: true,
  visibleFolders: ['/'],
  launch(folder, { command, env, place, packages = [] }, limits): Launch {
    const [name = '', ...args] = command
    const program = requireProgram(name)
    if (!place && !existsSync(folder.home)) mkdirSync(folder.home, 0o700)
    const prlimit = process.platform === 'linux' ? findOnPath('prlimit') : undefined
    return {
      ...(prlimit
        ? { file: prlimit, args: [...limitOptions(limits), '--', program, ...args] }
        : { file: program, args }),
      cwd: folder.workspace,
      env: {
        PATH: absolutePath(),
        // Windows programs need it to start.
        ...(process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {}),
        HOME: folder.home,
        TMPDIR: folder.home,
        ...fixedEnvironment,
        ...(packages.length > 0 && { PYTHONPATH: rootsOf(packages).join(delimiter) }),
        ...env,
        [markerVariable]: folder.base,
      },
    }
  },
}

const rootsOf = (packages: readonly PackagePart[]) => [...new Set(packages.map(({ root }) => root))]

/**
 * Returns limits as options of util-linux's prlimit. The number of processes is not among them: outside of a sandbox the
 * kernel counts all processes of the user.
 */
export function limitOptions(limits: SandboxLimits): string[] {
  const { cpuSeconds, memoryBytes, fileBytes, openFiles } = limits
  return [
    // SIGXCPU at the soft limit, SIGKILL a second later.
    `--cpu=${Math.ceil(cpuSeconds)}:${Math.ceil(cpuSeconds) + 1}`,
    `--data=${memoryBytes}`,
    `--fsize=${fileBytes}`,
    `--nofile=${Math.min(openFiles, openFileLimit())}`,
    '--core=0',
  ]
}
