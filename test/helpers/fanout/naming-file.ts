import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { persona } from './machines.ts'

/**
 * Writes a workflow of one state, which the orchestrator or an agent `maker` does; returns the method as written after `--methods`.
 */
export function writeFanout(folder: string, agents: { orchestrator: string; maker?: string }): string {
  const { orchestrator, maker } = agents
  const doer = maker === undefined ? { type: 'orchestrator-task' } : { type: 'single', agent: 'maker' }
  const machine = {
    name: 'naming',
    orchestrator: { persona: 'lead', agent: orchestrator },
    agents: maker === undefined ? {} : { maker: { agent: maker } },
    personas: { lead: 'lead.md' },
    states: {
      start: { type: 'initial', next: 'make' },
      make: { ...doer, persona: 'lead', output: 'made.md', transitions: { success: 'end', failure: 'halt' } },
      end: { type: 'terminal' },
      halt: { type: 'terminal', error: true },
    },
  }
  writeFileSync(join(folder, 'lead.md'), persona())
  writeFileSync(join(folder, 'naming.json'), JSON.stringify(machine))
  return `fanout:${join(folder, 'naming.json')}`
}
