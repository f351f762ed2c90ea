import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import { missingPeer } from '../../base/load-package.ts'
import { folderPrefix } from '../../sandbox/folders/folder-owner.ts'
import { removeFolder } from '../../sandbox/folders/private-folder.ts'
import type { Sandbox } from '../../sandbox/open-sandbox.ts'
import { findOnPath } from '../../sandbox/tools/on-path.ts'
import { installFoldersOf, isInside, isSystemPath } from '../../sandbox/tools/toolchain.ts'
import type { AgentProgram } from '../../schema/agent/agent-program.ts'
import type { Problem } from '../../text/errors.ts'
import type { Agent } from '../agent.ts'
import { callCli } from '../cli/call.ts'
import { createCliAgent } from '../cli/cli-agent.ts'
import { configuredCli } from '../cli/configured.ts'
import type { CliCall, CliKind } from '../cli/kind.ts'
import { agentOf } from './known-agents.ts'
import type { Opened } from './open-session.ts'
import { acpPackage, createTalk } from './talk.ts'

type AcpEnvironment = Parameters<typeof createCliAgent>[2] & {
  onWarning?: ((message: string) => void) | undefined
  /** Why the agent cannot be asked, by its command. */
  problem?: Omit<Problem, 'where'> | undefined
}

/** How long an agent may take to say who it is; ms. */
const introductionMs = 60_000

/** Time after which a note says that bench waits for the agent; ms. */
const noteMs = 5000

/**
 * Creates an agent that speaks the Agent Client Protocol: a program a call, like an agent CLI. Before a run it is asked who it is, in the
 * sandbox and without a network.
 */
export function createAcpAgent(
  program: AgentProgram,
  model: string,
  { problem, onWarning, ...environment }: AcpEnvironment,
): Agent {
  const kind = acpKind(program, problem)
  const agent = createCliAgent(kind, model, environment)
  let introduced: Promise<Introduction> | undefined
  const introduce = async () => {
    introduced ??= environment.sandbox.open().then(async (sandbox) => {
      const late = setTimeout(
        () => onWarning?.(`waiting for ${kind.program} to say who it is, at most ${introductionMs / 1000} s`),
        noteMs,
      )
      try {
        return await introduction(kind, model, sandbox)
      } finally {
        clearTimeout(late)
      }
    })
    return introduced
  }
  return {
    ...agent,
    async missing() {
      const problems = (await agent.missing?.()) ?? []
      if (problems.length > 0) return problems
      const { problem } = await introduce()
      return problem ? [problem] : []
    },
    async version() {
      if (((await agent.missing?.()) ?? []).length > 0) return 'unknown'
      const { opened } = await introduce()
      return opened ? `${opened.version} (${opened.name}, protocol ${opened.protocol})` : 'unknown'
    },
  }
}

interface Introduction {
  /** Absent where the agent was not asked: there is no sandbox. */
  opened?: Opened
  problem?: Problem
}

async function introduction(kind: CliKind, model: string, sandbox: Sandbox): Promise<Introduction> {
  // Nobody has allowed to start it without a sandbox yet.
  if (sandbox.adapter === 'none') return {}
  const base = await mkdtemp(join(tmpdir(), folderPrefix()))
  const [workspace, home] = [join(base, 'workspace'), join(base, 'home')]
  await mkdir(workspace)
  // The user that programs run as may pass through it.
  await chmod(base, 0o711)
  let opened: Opened | undefined
  const { program } = kind
  const asked: CliKind = {
    ...kind,
    talk: ({ contained }, { prompt: _, ...start }) =>
      createTalk({
        ...start,
        ...{ program, contained, session: undefined },
        onOpened(found) {
          opened = found
        },
      }),
  }
  try {
    const { said } = await callCli(asked, {
      ...{ sandbox, workspace, home, prompt: '', retold: '', timeoutMs: introductionMs },
      ...{ baseUrl: undefined, key: undefined, limits: undefined },
      call: { model, contained: true },
      signal: new AbortController().signal,
      price: () => ({ costUsd: null }),
    })
    if (opened) return { opened }
    const message = said?.error?.message ?? ''
    if (said?.error?.reason === 'request') return { problem: { where: 'provider acp', what: message } }
    const args = kind.args({ model, baseUrl: '', contained: true })
    const what = `${program} did not begin to speak the Agent Client Protocol: ${message}`
    return { problem: { where: 'provider acp', what, fix: remedyFor(program, args, message) } }
  } catch (error) {
    return { problem: { where: 'provider acp', what: (error as Error).message } }
  } finally {
    await removeFolder(base)
  }
}

/** Returns what to do about a program that did not speak the protocol in the sandbox. */
function remedyFor(program: string, args: readonly string[], message: string): string {
  const shown = installFoldersOf(findOnPath(program) ?? program)
  const isShown = (path: string) => isSystemPath(path) || shown.some((folder) => isInside(path, folder))
  const hidden = args.find((arg) => isAbsolute(arg) && existsSync(arg) && !isShown(arg))
  if (hidden !== undefined)
    return `The sandbox shows ${program} and its package, and not ${hidden}. Name that file as the program: with a first line such as #!/usr/bin/env ${basename(program)}, and executable.`
  const isHelp = /\busage\b|--help\b|\boptions\b/i.test(message)
  return isHelp && !args.some((arg) => arg.startsWith('-'))
    ? 'Correct its command: many agents speak it only with a flag, such as --acp.'
    : 'Correct its command.'
}

/**
 * Makes the kind of an agent that speaks the Agent Client Protocol, from its command or from its description in the config file. What is
 * not described has a known agent from its vendor's CLI. `problem` is why it cannot be asked.
 */
function acpKind(program: AgentProgram, problem?: Omit<Problem, 'where'>): CliKind {
  const [name = ''] = program.command
  const { like, ownPackage, modelVariables = [] } = agentOf(program.command) ?? {}
  const own = configuredCli(program)
  const { name: _n, args: _a, directs: _d, range: _r, summary: _s, ...vendor } = like ?? own
  const wires = program.wires ?? vendor.wires
  const isNamed = Boolean(like)
  return {
    ...vendor,
    name: 'acp',
    summary: own.summary,
    program: name,
    wires,
    ...(ownPackage !== undefined && { install: `npm install --global ${ownPackage}@latest` }),
    ...(own.models && { models: own.models }),
    ...(own.window !== undefined && { window: own.window }),
    ...(own.keyInside !== undefined && { keyInside: own.keyInside }),
    args: own.args,
    env: (call) => ({
      ...(isNamed && withoutEmpty(vendor.env(call))),
      ...(call.model !== '' && Object.fromEntries(modelVariables.map((variable) => [variable, call.model]))),
      ...own.env(call),
    }),
    home: (call) => ({ ...(isNamed && vendor.home(call)), ...own.home(call) }),
    lacks: () => missingPeer(acpPackage) ?? problem,
    talk: (call: CliCall, start) =>
      createTalk({
        ...start,
        ...{ program: name, session: call.session, contained: call.contained },
        keyInside: own.keyInside ?? vendor.keyInside,
      }),
  }
}

const withoutEmpty = (env: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
