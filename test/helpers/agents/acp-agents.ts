import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Agent } from '../../../src/agents/agent.ts'
import { createAgents } from '../../../src/agents/registry.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { lazySandbox, type SandboxChoice } from '../../../src/sandbox/open-sandbox.ts'
import type { AgentSetting } from '../../../src/schema/agent/agent-settings.ts'

/** A program of the Agent Client Protocol where every sandbox can show it, until the tests of the file have ended. */
export function acpProgram(): string {
  // Not in /tmp, which programs in a sandbox have for themselves.
  const bin = mkdtempSync(join('/var/tmp', 'acp-agent-'))
  afterAll(() => rmSync(bin, { recursive: true, force: true }))
  chmodSync(bin, 0o755)
  copyFileSync(join(packageRoot(), 'test/helpers/agents/acp-agent.mjs'), join(bin, 'agent'))
  return join(bin, 'agent')
}

const environment = (sandbox: SandboxChoice, onWarning?: (message: string) => void) => ({
  ...(onWarning && { onWarning }),
  tasks: [],
  profile: undefined,
  trySubmission: () => Promise.reject(new Error('not here')),
  run: 'run-1',
  sandbox: lazySandbox(sandbox),
})

/** Makes an agent of a config file whose program is started with these words. */
export async function acpAgent(
  command: readonly string[],
  setting: Partial<AgentSetting> = {},
  sandbox: SandboxChoice = 'none',
  onWarning?: (message: string) => void,
): Promise<Agent> {
  const name = 'mine=acp:m'
  const { program, ...others } = setting
  const settings = { [name]: { ...others, program: { command: [...command], ...program } } }
  return (await createAgents({ '*': name }, { ...environment(sandbox, onWarning), settings })).get(
    name,
  ) as Agent
}

/** Makes an agent that is named by its command alone. */
export async function namedAcpAgent(name: string, sandbox: SandboxChoice = 'none'): Promise<Agent> {
  return (await createAgents({ '*': name }, environment(sandbox))).get(name) as Agent
}
