import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { seededRandom } from '../../../src/base/random.ts'
import type { AskStep, Step } from '../../../src/schema/ledger/step.ts'
import type { Machine, MachineFile } from '../../../src/schema/machine/machine-file.ts'
import type { MachineRecord } from '../../../src/schema/machine/machine-record.ts'
import { machineFrom } from '../../helpers/fanout/machine-lines.ts'
import { runInTrial, type Say } from '../../helpers/fanout/run-machine.ts'
import { withoutWall } from '../../helpers/graph/graphs.ts'
import { level } from '../../helpers/house/level.ts'

/** Names that occur in no persona and no word of the interpreter. */
const agentNames = ['adelheid', 'bartholo', 'crispina']
const workers = ['w0', 'w1', 'w2', 'w3']

type States = z.input<typeof MachineFile>['states']

/** Random machines: any state may lead to any other, or to an end. */
const machines: fc.Arbitrary<Machine> = fc
  .record({
    count: fc.integer({ min: 1, max: workers.length }),
    seed: fc.integer(),
    hard: fc.record({
      transitions: fc.integer({ min: 1, max: 25 }),
      time_s: fc.constantFrom(0.05, 0.3, 3600),
      cost_usd: fc.constantFrom(0.1, 10),
    }),
    rules: fc.subarray([
      { rule: 'state_visits' as const, max: 2 },
      { rule: 'cycle' as const },
      { rule: 'transitions' as const, max: 4 },
      { rule: 'time' as const, max_s: 0.1 },
      { rule: 'cost' as const, max_usd: 0.05 },
    ]),
    checkpoints: fc.subarray([
      ...(['quality_gate_disagree', 'repeated_retry', 'timeout_warning', 'workflow_complete'] as const),
    ]),
    settings: fc.record({
      retry_count: fc.integer({ min: 0, max: 1 }),
      parallel_fanout: fc.boolean(),
    }),
    deliver: fc.boolean(),
  })
  .map(({ count, seed, hard, rules, checkpoints, settings, deliver }) => {
    const names = workers.slice(0, count)
    return machineFrom(
      statesOf(names, seed),
      {
        ...{ settings, circuit_breaker: { rules, hard }, orchestrator: { persona: 'lead', checkpoints } },
        agents: Object.fromEntries(agentNames.map((name, i) => [name, { session: i === 0 }])),
        ...(deliver && { deliver: 'w0/one.md' }),
      },
      { do: 'Of {{ agent_list }}:{% for one in inputs %} {{ one.agent }} {{ one.text }}{% endfor %}' },
    )
  })

function statesOf(names: readonly string[], seed: number): States {
  const random = seededRandom(String(seed))
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const target = () => pick([...names, ...names, 'done', 'halt'])
  const states = Object.fromEntries(
    names.map((name) => {
      const input = names.filter(() => random() < 0.5).map((one) => `${one}/*.md`)
      const shared = {
        ...(random() < 0.5 && { persona: 'do' }),
        ...(input.length > 0 && { input }),
        ...(random() < 0.2 && { on_enter: [{ validate: `${pick(names)}/*.md` }] }),
        ...(random() < 0.2 && input.length > 0 && { scores: ['taste'] }),
      }
      const end = { success: target(), failure: target() }
      const one = { output: `${name}/one.md`, agent: pick(agentNames) }
      const kinds = [
        {
          ...{
            type: 'fan-out',
            agents: agentNames.slice(Math.floor(random() * 3)),
            output: `${name}/{agent}.md`,
          },
          ...{
            ...shared,
            transitions: { all_success: target(), partial_success: target(), all_failure: target() },
          },
        },
        { type: 'single', ...one, ...shared, transitions: end },
        {
          type: 'single',
          ...one,
          ...shared,
          transitions: { proceed: target(), retry: target(), halt: 'halt' },
        },
        { type: 'orchestrator-task', ...shared, output: `${name}/one.md`, transitions: end },
        { type: 'human-approval', transitions: { approved: target(), feedback: target(), abort: 'halt' } },
      ]
      return [name, pick(kinds)]
    }),
  )
  return {
    start: { type: 'initial', next: 'w0' },
    ...(states as States),
    done: { type: 'terminal', on_enter: [{ generate: 'summary.md' }] },
    halt: { type: 'terminal', error: true },
  }
}

/** Returns agents whose replies and failures are drawn from a seed; each plain reply holds a mark of its own. */
function randomAgents(seed: number): Say {
  return (_, __, { trial, attempt, schema, prompt }) => {
    const random = seededRandom(`${seed}/${trial.key}/${attempt}`)
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
    const durationMs = pick([1, 10, 40])
    if (random() < 0.25)
      return { durationMs, error: pick([refusal, { reason: 'timeout' as const, message: 'too slow' }]) }
    const text = replyTo(schema && JSON.stringify(schema), `said ${markOf(trial.key)}`, prompt, pick)
    return { text, durationMs, ...(random() < 0.1 && { costUsd: null }) }
  }
}

const refusal = { reason: 'refusal' as const, message: 'no' }

/** The mark of an ask's plain reply. */
const markOf = (key: string): string => `<<${key.replace(/[a-z]{3,}/g, (name) => name.slice(0, 1))}>>`

type Pick = <Item>(items: readonly Item[]) => Item

function replyTo(schema: string | undefined, said: string, prompt: string, pick: Pick): string {
  if (schema === undefined) return said
  const score = pick([1, 5, 9])
  const scored = /Score (.*) by taste/.exec(prompt)?.[1]?.split(', ') ?? []
  const scores = scored.map((target) => ({ target, criterion: 'taste', score }))
  if (schema.includes('quality_score'))
    return JSON.stringify({
      ...{
        decision: pick(['proceed', 'proceed', 'retry', 'halt']),
        quality_score: score,
        retry_guidance: said,
      },
      ...(scores.length > 0 && { scores }),
    })
  if (!schema.includes('force_complete')) return JSON.stringify({ text: said, scores })
  const state = pick([...workers, 'done', 'nowhere'])
  return JSON.stringify({
    ...{
      decision: pick([
        'proceed',
        'proceed',
        'retry_different',
        'force_complete',
        'halt',
        'dump_context',
        'eat',
      ]),
    },
    ...{
      reasoning: 'so',
      use_output: pick(['w0/one.md', 'nothing.md']),
      retry_from: state,
      guidance: 'again',
    },
    ...(pick([true, false]) && { proceed_from: state }),
  })
}

/** Drives this many random machines with random replies and failures through the loop, and checks what must hold for each. */
async function checkMachineLaws(numRuns: number): Promise<void> {
  await fc.assert(fc.asyncProperty(machines, fc.integer(), checkOne), { numRuns })
}

async function checkOne(machine: Machine, seed: number): Promise<void> {
  const events: string[] = []
  const event = (_: string, __: string, { type }: { type: string }) => void events.push(type)
  const played = await runInTrial(machine, randomAgents(seed), { event })
  const { record, steps, folder } = played
  const replayed = await runInTrial(machine, () => '', { folder, replay: true })
  // Thousands would fill a disk.
  rmSync(folder, { recursive: true })
  expect(withoutWall(replayed)).toEqual(withoutWall(played))
  // No agent ever answered.
  if (record.state === undefined) {
    expect(record.outcome.status).not.toBe('completed')
    return
  }
  expect(record.outcome.reason).toBe('')
  expect(record.fidelity).toEqual({ status: 'kept' })
  const { transitions, time_s } = machine.circuit_breaker.hard
  const made = events.filter((type) => type === 'transition').length
  expect(made).toBeLessThanOrEqual(transitions)
  const known = played.machine()
  expect(known.decisions.length).toBeLessThanOrEqual(made * 4)
  for (const { at, type } of known.visits) if (type !== 'terminal') expect(at).toBeLessThan(time_s * 1000)
  expectOneWriter(known)
  expectPrompts(known, steps)
}

/** No two agents, nor states, write one file. */
function expectOneWriter({ visits }: MachineRecord): void {
  const writers = new Map<string, string>()
  for (const { state, runs } of visits)
    for (const { agent, output } of runs) {
      if (!output) continue
      const writer = `${agent} in ${state}`
      expect(writers.get(output.path) ?? writer).toBe(writer)
      writers.set(output.path, writer)
    }
}

/** No prompt holds a reply of the same visit, and none names an agent that gave nothing that exists then. */
function expectPrompts({ visits }: MachineRecord, steps: readonly Step[]): void {
  const asks = steps.filter((step): step is AskStep => step.kind === 'ask' && step.repair === undefined)
  const placeOf = ({ iteration = {} }: AskStep) =>
    visits.findIndex(({ state, visit }) => state === iteration.state && visit === iteration.visit)
  for (const ask of asks) {
    const place = placeOf(ask)
    const isDecision = ask.iteration?.checkpoint !== undefined
    const gave = agentsBefore(visits.slice(0, isDecision ? place + 1 : place))
    const named = agentNames.filter((name) => ask.prompt.includes(name))
    expect(named.filter((name) => !gave.has(name))).toEqual([])
    if (isDecision) continue
    for (const other of asks)
      if (other !== ask && placeOf(other) === place && other.iteration?.checkpoint === undefined)
        expect(ask.prompt).not.toContain(markOf(other.key))
  }
}

function agentsBefore(visits: MachineRecord['visits']): Set<string> {
  const outputs = new Map<string, string>()
  for (const { state, runs } of visits)
    for (const { agent, status, output } of runs) {
      // Whoever fails loses what it wrote in this state before.
      if (status === 'done' && output) outputs.set(`${state} ${agent}`, agent)
      else outputs.delete(`${state} ${agent}`)
    }
  return new Set(outputs.values())
}

it('random machines end within the hard limits, keep their flow, and mention only what exists', {
  timeout: level(60_000, 3_600_000),
}, async () => {
  await checkMachineLaws(level(25, 10_000))
})
