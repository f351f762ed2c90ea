import type { Options, Result } from 'execa'
import { secretsOf } from '../../text/redact.ts'

/** How a tool ended; what it printed is empty where it could not be started. */
export type ToolResult = Pick<
  Result,
  'failed' | 'code' | 'exitCode' | 'signal' | 'timedOut' | 'shortMessage' | 'cause'
> & { stdout: string; stderr: string }

/** How long after its end a tool's output is still read; ms. */
const lastOutputMs = 200

/**
 * Runs an ordinary tool of this machine, such as git, to its end, without our keys in its environment. Never rejects. What nobody
 * trusts is run in the sandbox instead.
 */
export async function runTool(
  program: string,
  args: readonly string[],
  options: Pick<Options, 'cwd' | 'env' | 'timeout' | 'input' | 'encoding' | 'stripFinalNewline'> = {},
): Promise<ToolResult> {
  // Few commands start a tool.
  const { execa } = await import('execa')
  const running = execa(program, args, {
    ...{ env: withoutSecrets(), timeout: 10_000, ...options },
    ...{ extendEnv: false, killSignal: 'SIGKILL', reject: false },
    ...(options.input === undefined && { stdin: 'ignore' }),
    // Its cleanup would listen to the signals of this process.
    cleanup: false,
  })
  // What the tool has started and left behind may hold its output open, and nobody waits for that.
  const letGo = () => {
    running.stdout?.destroy()
    running.stderr?.destroy()
  }
  // What is in the pipes is read first, also where this process was busy for longer.
  running.once('exit', () => setTimeout(() => setImmediate(letGo), lastOutputMs).unref())
  const { stdout = '', stderr = '', ...result } = await running
  return { ...result, stdout: String(stdout), stderr: String(stderr) }
}

/** Our environment without keys, for programs of this machine: a version manager's shim needs the rest to find its program. */
export function withoutSecrets(): NodeJS.ProcessEnv {
  const { secrets, unsuitable } = secretsOf(process.env)
  const hidden = new Set([...secrets.map(({ name }) => name), ...unsuitable])
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !hidden.has(name)))
}
