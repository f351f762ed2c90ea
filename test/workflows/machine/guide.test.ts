import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { z } from 'zod'
import { packageRoot } from '../../../src/base/package-root.ts'
import { OrchestratorDecision } from '../../../src/schema/machine/decision.ts'
import { Checkpoint } from '../../../src/schema/machine/machine-file.ts'
import { type Line, play } from '../../../src/testing.ts'
import { machineFrom, runsMachine, states, verdict } from '../../helpers/fanout/machine-lines.ts'

const guide = readFileSync(join(packageRoot(), 'docs/guides/states.md'), 'utf8')

describe('the guide to workflows of states', () => {
  it('has a table of the decisions with the fields of their schema', () => {
    const rows = [...guide.matchAll(/^\| `(\w+)` \| (`reasoning`[^|]*) \|/gm)].map(
      ([, decision, fields = '']) => [decision, fields.replaceAll('`', '').split(', ')],
    )
    const options = OrchestratorDecision.options.map(({ shape: { decision, ...fields } }) => [
      decision.value,
      Object.entries<z.ZodType>(fields).map(([name, field]) => (field.isOptional() ? `${name}?` : name)),
    ])
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(options))
  })

  it('has all checkpoints, retries and the limit of messages in a line each, which a workflow takes', () => {
    const [yaml = ''] = /^orchestrator: \{ persona: lead, checkpoints[\s\S]*?(?=```)/m.exec(guide) ?? []
    expect(yaml.trim().split('\n')).toHaveLength(2)
    const machine = machineFrom(states, parse(yaml))
    expect(machine.orchestrator.checkpoints).toEqual(Checkpoint.options)
    expect(machine.settings).toMatchObject({ retry_count: 2, max_messages: 50 })
    const { orchestrator, settings } = machineFrom(states)
    expect(orchestrator.checkpoints).toEqual(['loop_warning'])
    expect(settings).toEqual({ retry_count: 0, timeout_per_agent: 300, parallel_fanout: true })
  })
})

it('a limit of messages holds for each session whose agent names none', async () => {
  const machine = machineFrom(states, {
    settings: { max_messages: 50 },
    agents: { ada: {}, ben: { session: true, max_messages: 9 }, gate: { session: true } },
  })
  const script: Line<string>[] = [
    ['draft.ada: ada', 'A'],
    ['draft.ben: ben', 'B'],
    ['gate', verdict('proceed')],
    ['orchestrator', 'All'],
  ]
  const { asks } = await play(runsMachine(machine), {}, script)
  expect(asks.map(({ role, options }) => [role, options.maxMessages])).toEqual([
    ['ada', undefined],
    ['ben', 9],
    ['gate', 50],
    ['orchestrator', 50],
  ])
})
