import type { SandboxLimits } from '../../sandbox/limits.ts'
import type { Sandbox } from '../../sandbox/open-sandbox.ts'
import type { SandboxCommand, SandboxResult } from '../../sandbox/sandbox.ts'
import { forwardTo, refuseEveryRequest } from './gateway/forward.ts'
import { keyStandIn } from './gateway/key-guard.ts'
import { createMeter, type Metered } from './gateway/meter.ts'
import type { CliCall, CliKind } from './kinds/kind.ts'

/** Limits of a CLI, above those of tests: some of these programs need more than a gigabyte. */
const limits: Partial<SandboxLimits> = {
  cpuSeconds: 3600,
  memoryBytes: 8 * 1024 ** 3,
  workspaceBytes: 8 * 1024 ** 3,
  workspaceFiles: 524_288,
  processes: 512,
  fileBytes: 1024 ** 3,
  openFiles: 4096,
}

/** Maximum output of a program in bytes. Replies may be megabytes of JSON, which is useless when cut. */
const mostOutput = 64 * 1024 ** 2

/** Time limit of an attempt without one, in ms. */
const longestCall = 3_600_000

/** One call of a program, with its sandbox, provider and folders. */
interface CliRun {
  sandbox: Sandbox
  /** The provider's base URL; undefined if the program has no provider, and so no network. */
  baseUrl: string | undefined
  key: string | undefined
  call: Omit<CliCall, 'baseUrl'>
  workspace: string
  home: string
  prompt: string
  timeoutMs: number | undefined
  signal: AbortSignal
}

/** The result of a call: how the program ended, and what the gateway measured. */
interface CliEnd {
  /** Undefined if bench ended the program, which only repeated requests that fail. */
  ended: SandboxResult | undefined
  metered: Metered
}

/** Runs the program with a gateway to its provider, and closes the gateway when the program has ended. */
export async function callCli(kind: CliKind, run: CliRun): Promise<CliEnd> {
  const vain = new AbortController()
  const meter = createMeter(() => vain.abort())
  const provider = run.baseUrl === undefined ? refuseEveryRequest : forwardTo(run.baseUrl, run.key, meter)
  const gateway = await run.sandbox.openGateway(provider)
  try {
    const path = run.baseUrl === undefined ? '' : new URL(run.baseUrl).pathname.replace(/\/+$/, '')
    const baseUrl = `${gateway.url}${path}`
    const call = { ...run.call, baseUrl }
    const ended = await runUntil(vain.signal, run, {
      files: {},
      // HOME is shared by the calls of a branch and programs change it, so settings are written before each call.
      place: { workspace: run.workspace, home: run.home, settings: kind.home(call), gateway },
      command: [kind.program, ...kind.args(call)],
      env: { ...kind.env(call), ...(kind.keyInside !== undefined && { [kind.keyInside]: keyStandIn }) },
      stdin: run.prompt,
      timeoutMs: run.timeoutMs ?? longestCall,
      limits,
      maxOutputBytes: mostOutput,
    })
    return { ended, metered: meter.read() }
  } finally {
    await gateway.close()
  }
}

/** Runs a command until it has ended. Returns undefined if `vain` ends it. */
async function runUntil(
  vain: AbortSignal,
  { sandbox, signal }: Pick<CliRun, 'sandbox' | 'signal'>,
  command: SandboxCommand,
): Promise<SandboxResult | undefined> {
  try {
    return await sandbox.run({ ...command, signal: AbortSignal.any([signal, vain]) })
  } catch (error) {
    if (signal.aborted || !vain.aborted) throw error
    return undefined
  }
}
