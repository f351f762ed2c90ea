import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { SandboxLimits } from '../../sandbox/limits.ts'
import type { Sandbox } from '../../sandbox/open-sandbox.ts'
import type { SandboxCommand, SandboxResult, StageParts } from '../../sandbox/sandbox.ts'
import { findOnPath } from '../../sandbox/tools/on-path.ts'
import type { Problem } from '../../text/errors.ts'
import type { CallLimits } from '../agent.ts'
import { forwardTo, type GatewayRules, refuseBelow, refuseEveryRequest } from '../gateway/forward.ts'
import { keyStandIn } from '../gateway/key-guard.ts'
import { createMeter, type Metered } from '../gateway/meter.ts'
import { createRefusals, type Refusals } from '../gateway/refusals.ts'
import type { PriceReply } from '../gateway/request-bill.ts'
import { type CliCall, type CliKind, type CliReading, type CliTalk, cancelMs } from './kind.ts'

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

const longestCall = 3_600_000

interface CliRun {
  sandbox: Sandbox
  /** The provider's base URL; undefined if the program has no provider, and so no network. */
  baseUrl: string | undefined
  key: string | undefined
  call: Omit<CliCall, 'baseUrl'>
  workspace: string
  home: string
  prompt: string
  /** The prompt with all turns before it. */
  retold: string
  timeoutMs: number | undefined
  signal: AbortSignal
  /** The limits that hold inside the call. */
  limits: CallLimits | undefined
  price: PriceReply
  /** The stage of a program that directs others. */
  stage?: StageParts | undefined
}

/** How a call ended. */
export interface CliEnd {
  /** Undefined if bench ended the program: a limit refused a request, or it only repeated requests that fail. */
  ended: SandboxResult | undefined
  /** What came of the conversation with a program that has one. */
  said?: CliReading | undefined
  metered: Metered
  /** What the gateway did not let pass, and what it did. */
  refusals: Refusals
}

/** Runs the program with a gateway to its provider, and closes the gateway when the program has ended. */
export async function callCli(kind: CliKind, run: CliRun): Promise<CliEnd> {
  const stop = new AbortController()
  const { limits: callLimits, price } = run
  const meter = createMeter({ limits: callLimits, price, onStop: () => stop.abort() })
  const rules = rulesOf(kind, run.call)
  const { refusals } = rules
  const provider =
    run.baseUrl === undefined ? refuseEveryRequest(rules) : forwardTo(run.baseUrl, run.key, meter, rules)
  const gateway = await run.sandbox.openGateway(provider, refuseBelow(rules))
  try {
    const path = run.baseUrl === undefined ? '' : new URL(run.baseUrl).pathname.replace(/\/+$/, '')
    const baseUrl = `${gateway.url}${path}`
    const call = { ...run.call, baseUrl }
    const timeoutMs = run.timeoutMs ?? longestCall
    const talk = kind.talk?.(call, {
      prompt: run.prompt,
      retold: run.retold,
      workspace: run.workspace,
      timeoutMs,
    })
    const ended = await runUntil(
      stop.signal,
      { ...run, talk },
      {
        files: {},
        // HOME is shared by the calls of a branch and programs change it, so settings are written before each call.
        place: { workspace: run.workspace, home: run.home, settings: kind.home(call), gateway },
        ...(run.stage && { stage: run.stage }),
        command: [kind.program, ...kind.args(call)],
        env: { ...kind.env(call), ...(kind.keyInside !== undefined && { [kind.keyInside]: keyStandIn }) },
        ...(talk ? { talk: talk.begin } : { stdin: run.prompt }),
        // At its own limit, a conversation is ended in words first.
        timeoutMs: talk ? timeoutMs + 2 * cancelMs : timeoutMs,
        limits,
        maxOutputBytes: mostOutput,
      },
    )
    const said = await talk?.read(ended)
    return { ended, said, metered: meter.read(), refusals }
  } finally {
    await gateway.close()
  }
}

/** Returns why a program cannot be started, or not without something else; empty if it can. */
export function missingProgram({ name, program, install, lacks }: CliKind): Problem[] {
  const where = `provider ${name}`
  const lacking = lacks?.()
  if (lacking) return [{ where, ...lacking }]
  if (findOnPath(program)) return []
  const isPath = program.includes('/')
  if (isPath && !isAbsolute(program))
    return [{ where, what: `the program ${program} has a relative path`, fix: 'Write its full path.' }]
  if (isPath && existsSync(program)) return [{ where, ...notExecutable(program) }]
  const fix = install === undefined ? 'Put it on the PATH or correct its command.' : `Run: ${install}`
  return [{ where, what: `the program ${program} is not installed`, fix }]
}

/** Whether a file is a script with a first line that names its interpreter, or a binary of Linux or macOS. */
function beginsLikeProgram(path: string): boolean {
  try {
    const file = openSync(path, 'r')
    const start = Buffer.alloc(2)
    readSync(file, start)
    closeSync(file)
    return start.toString('latin1') === '#!' || [0x7f, 0xca, 0xcf, 0xfe].includes(start[0] ?? 0)
  } catch {
    return false
  }
}

/** A text without a `#!` line, and a folder, become no program by a mode. */
function notExecutable(path: string): Omit<Problem, 'where'> {
  const fix = 'Correct its command.'
  if (!statSync(path).isFile()) return { what: `the program ${path} is a folder`, fix }
  return beginsLikeProgram(path)
    ? { what: `the program ${path} cannot be executed`, fix: `Run: chmod +x ${path}` }
    : { what: `the program ${path} is not a program: it has no first line with #!`, fix }
}

/**
 * Returns what a program may ask in one call. One whose agent names no model, or names it by a shorter name, is held to the first model
 * that fits of a request that passes.
 */
function rulesOf(
  { wires, models: beside = [], isSameModel = () => false }: CliKind,
  { model, providerTools = false }: CliRun['call'],
): GatewayRules {
  const models = [...(model === '' ? [] : [model]), ...beside]
  let isOpen = model !== '' || models.length === 0
  const isOwnModel = (asked: string) =>
    models.includes(asked) || (isOpen && (model === '' ? asked !== '' : isSameModel(model, asked)))
  const keepModel = (asked: string) => {
    if (models.includes(asked)) return
    isOpen = false
    models.push(asked)
  }
  const refusals = createRefusals()
  return { wires, models, isOwnModel, keepModel, allowProviderTools: providerTools, refusals }
}

/** Runs a program until it ends, `stop` aborts, or nothing is left to say. Undefined if bench ended it. */
async function runUntil(
  stop: AbortSignal,
  { sandbox, signal, talk }: Pick<CliRun, 'sandbox' | 'signal'> & { talk: CliTalk | undefined },
  command: SandboxCommand,
): Promise<SandboxResult | undefined> {
  const enough = new AbortController()
  const end = () => enough.abort()
  void talk?.over.then(end)
  const cancel = () => void (talk ? talk.cancel().then(end) : end())
  if (stop.aborted) cancel()
  stop.addEventListener('abort', cancel, { once: true })
  // Who stops the run waits for nothing.
  const leave = () => void talk?.cancel()
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await sandbox.run({ ...command, signal: AbortSignal.any([signal, enough.signal]) })
  } catch (error) {
    if (signal.aborted || !enough.signal.aborted) throw error
    return undefined
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
