import type { SandboxLimits } from '../../sandbox/limits.ts'
import type { Sandbox } from '../../sandbox/open-sandbox.ts'
import type { SandboxResult } from '../../sandbox/sandbox.ts'
import { forwardTo, refuseEveryRequest } from './gateway/forward.ts'
import { keyStandIn } from './gateway/key-guard.ts'
import { createMeter, type Metered } from './gateway/meter.ts'
import type { CliCall, CliKind } from './kinds/kind.ts'

/** More than tests get: some of these programs alone take over a gigabyte. */
const limits: Partial<SandboxLimits> = {
  cpuSeconds: 3600,
  memoryBytes: 8 * 1024 ** 3,
  processes: 512,
  fileBytes: 1024 ** 3,
  openFiles: 4096,
}

/** Kept of a program's output: replies of several megabytes are JSON, and useless when cut. */
const mostOutput = 64 * 1024 ** 2

/** When nobody says how long an attempt may take; ms. */
const longestCall = 3_600_000

/** One call of a program, with everything around it. */
interface CliRun {
  sandbox: Sandbox
  /** The provider's, as we reach it; undefined where it has none, and so no way out. */
  baseUrl: string | undefined
  key: string | undefined
  call: Omit<CliCall, 'baseUrl'>
  workspace: string
  home: string
  prompt: string
  timeoutMs: number | undefined
  signal: AbortSignal
}

/** What a call left: the program's end, and what its provider told meanwhile. */
interface CliEnd {
  ended: SandboxResult
  metered: Metered
}

/** Runs the program with its way out open, and closes that when the program has ended. */
export async function callCli(kind: CliKind, run: CliRun): Promise<CliEnd> {
  const meter = createMeter()
  const provider = run.baseUrl === undefined ? refuseEveryRequest : forwardTo(run.baseUrl, run.key, meter)
  const gateway = await run.sandbox.openGateway(provider)
  try {
    const path = run.baseUrl === undefined ? '' : new URL(run.baseUrl).pathname.replace(/\/+$/, '')
    const baseUrl = `${gateway.url}${path}`
    const call = { ...run.call, baseUrl }
    const ended = await run.sandbox.run({
      files: {},
      // HOME is the branch's, and programs change what they find there: settings are laid out anew each time.
      place: { workspace: run.workspace, home: run.home, settings: kind.home(call), gateway },
      command: [kind.program, ...kind.args(call)],
      env: { ...kind.env(call), ...(kind.keyInside !== undefined && { [kind.keyInside]: keyStandIn }) },
      stdin: run.prompt,
      timeoutMs: run.timeoutMs ?? longestCall,
      limits,
      maxOutputBytes: mostOutput,
      signal: run.signal,
    })
    return { ended, metered: meter.read() }
  } finally {
    await gateway.close()
  }
}
