import { delimiter, isAbsolute } from 'node:path'
import type { Options, Result } from 'execa'
import { secretsOf } from '../../text/redact.ts'
import { coverInherited } from './start-process.ts'

/** How a tool ended. Its output is empty if it could not be started. */
export type ToolResult = ToolEnd & { stdout: string; stderr: string }

type ToolEnd = Pick<Result, 'failed' | 'code' | 'exitCode' | 'timedOut' | 'cause'> & {
  signal?: NodeJS.Signals
  /** Why it failed; empty if it did not. */
  shortMessage: string
}
type ToolOptions = Pick<Options, 'cwd' | 'env' | 'timeout' | 'input' | 'stripFinalNewline' | 'maxBuffer'>

/** How long a tool's output is read after its end; ms. */
const lastOutputMs = 200

/**
 * Runs a tool of this machine, such as git, without the user's keys in its environment. Never rejects. Untrusted code runs in
 * the sandbox instead.
 */
export async function runTool(
  program: string,
  args: readonly string[],
  options: ToolOptions & Pick<Options, 'encoding'> = {},
): Promise<ToolResult> {
  const { stdout = '', stderr = '', ...result } = await execute(program, args, options)
  return { ...result, stdout: String(stdout), stderr: String(stderr) }
}

/** The same; the output is returned as bytes. */
export async function runToolForBytes(
  program: string,
  args: readonly string[],
  options: ToolOptions,
): Promise<ToolEnd & { stdout: Buffer; stderr: string }> {
  const { stdout, stderr, ...result } = await execute(program, args, { ...options, encoding: 'buffer' })
  const bytes = (output: unknown) => Buffer.from(output instanceof Uint8Array ? output : '')
  return { ...result, stdout: bytes(stdout), stderr: bytes(stderr).toString() }
}

/** A process that cannot be started has failed, too. */
async function execute(...call: Parameters<typeof start>): ReturnType<typeof start> {
  return await start(...call).catch((error: NodeJS.ErrnoException) => ({
    ...{ failed: true, timedOut: false, shortMessage: error.message, cause: error },
    ...{ code: error.code, exitCode: undefined, stdout: undefined, stderr: undefined },
  }))
}

async function start(
  program: string,
  args: readonly string[],
  options: Options,
): Promise<ToolEnd & Pick<Result, 'stdout' | 'stderr'>> {
  const { execa } = await import('execa')
  const { stdio, release } = coverInherited([options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'])
  const running = execa(program, args, {
    ...{ env: withoutSecrets(), timeout: 10_000, ...options },
    ...{ extendEnv: false, killSignal: 'SIGKILL', reject: false },
    stdio: stdio as unknown as Options['stdio'],
    // execa's cleanup would add signal handlers to this process.
    cleanup: false,
  })
  release()
  // A process that the tool left behind may keep its output open; do not wait for it.
  const closeOutput = () => {
    running.stdout?.destroy()
    running.stderr?.destroy()
  }
  // The pipes are read first, even if this process was busy for longer.
  running.once('exit', () => setTimeout(() => setImmediate(closeOutput), lastOutputMs).unref())
  const { shortMessage = '', ...end } = await running
  return { ...end, shortMessage }
}

/**
 * Returns the environment without keys. A version manager's shim needs the other variables to find its program. Of PATH only absolute
 * folders are left: others would lead to programs of the working folder.
 */
export function withoutSecrets(): NodeJS.ProcessEnv {
  const { secrets, unsuitable } = secretsOf(process.env)
  const hidden = new Set([...secrets.map(({ name }) => name), ...unsuitable])
  const shown = Object.entries(process.env).filter(([name]) => !hidden.has(name))
  return { ...Object.fromEntries(shown), PATH: absolutePath() }
}

/** Returns the absolute folders of the user's PATH. Never empty: an empty PATH stands for the working folder. */
export const absolutePath = (): string =>
  (process.env.PATH ?? '').split(delimiter).filter(isAbsolute).join(delimiter) || '/nonexistent'

/** Returns the environment without git's variables, which can lead it to another repository or start programs. */
export const withoutGit = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
