import type { Options, Result } from 'execa'
import { secretsOf } from '../../text/redact.ts'

/** How a tool ended. Its output is empty if it could not be started. */
export type ToolResult = Pick<
  Result,
  'failed' | 'code' | 'exitCode' | 'signal' | 'timedOut' | 'shortMessage' | 'cause'
> & { stdout: string; stderr: string }

/** How long a tool's output is read after its end; ms. */
const lastOutputMs = 200

/**
 * Runs a tool of this machine, such as git, without the user's keys in its environment. Never rejects. Untrusted code runs in
 * the sandbox instead.
 */
export async function runTool(
  program: string,
  args: readonly string[],
  options: Pick<Options, 'cwd' | 'env' | 'timeout' | 'input' | 'encoding' | 'stripFinalNewline'> = {},
): Promise<ToolResult> {
  const { execa } = await import('execa')
  const running = execa(program, args, {
    ...{ env: withoutSecrets(), timeout: 10_000, ...options },
    ...{ extendEnv: false, killSignal: 'SIGKILL', reject: false },
    ...(options.input === undefined && { stdin: 'ignore' }),
    // execa's cleanup would add signal handlers to this process.
    cleanup: false,
  })
  // A process that the tool left behind may keep its output open; do not wait for it.
  const closeOutput = () => {
    running.stdout?.destroy()
    running.stderr?.destroy()
  }
  // The pipes are read first, even if this process was busy for longer.
  running.once('exit', () => setTimeout(() => setImmediate(closeOutput), lastOutputMs).unref())
  const { stdout = '', stderr = '', ...result } = await running
  return { ...result, stdout: String(stdout), stderr: String(stderr) }
}

/** Returns the environment without keys. A version manager's shim needs the other variables to find its program. */
export function withoutSecrets(): NodeJS.ProcessEnv {
  const { secrets, unsuitable } = secretsOf(process.env)
  const hidden = new Set([...secrets.map(({ name }) => name), ...unsuitable])
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !hidden.has(name)))
}

/** Returns the environment without git's variables, which can lead it to another repository or start programs. */
export const withoutGit = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
