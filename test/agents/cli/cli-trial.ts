import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Agent, AgentReply, AgentRequest } from '../../../src/agents/agent.ts'
import { agentRequest, type Wanted } from '../../helpers/agents/agent-request.ts'

const made: string[] = []
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true })
})

/** A fresh folder that lasts as long as the tests of a file. */
export function folderOf(name: string, parent = tmpdir()): string {
  const path = mkdtempSync(join(parent, name))
  made.push(path)
  return path
}

/** Folders of a trial for the contract suite. */
export const foldersOfTrial = () => ({
  folder: async () => folderOf('cli-work-'),
  home: () => folderOf('cli-home-'),
})

/** A trial's folders, and a request in them. */
export function trial(wanted: Wanted = {}) {
  const [workspace, home] = [folderOf('cli-work-'), folderOf('cli-home-')]
  const folders = { folder: async () => workspace, home: () => home }
  return { workspace, home, request: (more: Wanted = {}) => agentRequest({ ...folders, ...wanted, ...more }) }
}

/** Asks without an abort signal from outside. */
export const ask = async (agent: Agent, request: AgentRequest): Promise<AgentReply> =>
  agent.ask(request, new AbortController().signal)
