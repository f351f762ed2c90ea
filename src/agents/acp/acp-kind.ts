import { missingPeer } from '../../base/load-package.ts'
import type { AgentProgram } from '../../schema/agent/agent-program.ts'
import type { Problem } from '../../text/errors.ts'
import { configuredCli } from '../cli/configured.ts'
import type { CliCall, CliKind } from '../cli/kind.ts'
import { agentOf } from './known-agents.ts'
import { acpPackage, createTalk } from './talk.ts'

/**
 * Makes the kind of an agent that speaks the Agent Client Protocol, from its command or from its description in the config file. What is
 * not described has a known agent from its vendor's CLI. `problem` is why it cannot be asked.
 */
export function acpKind(program: AgentProgram, problem?: Omit<Problem, 'where'>): CliKind {
  const [name = ''] = program.command
  const { like, install, modelVariables = [] } = agentOf(program.command) ?? {}
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
    ...(install !== undefined && { install }),
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
      createTalk({ ...start, program: name, session: call.session, contained: call.contained }),
  }
}

const withoutEmpty = (env: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
