import fc from 'fast-check'
import type { z } from 'zod'
import { seededRandom } from '../../../src/base/random.ts'
import type { Machine, MachineFile } from '../../../src/schema/machine/machine-file.ts'
import { machineFrom } from './machine-lines.ts'
import type { Say } from './run-machine.ts'

/** Names that occur in no persona and no word of the interpreter. */
export const agentNames = ['adelheid', 'bartholo', 'crispina']
const workers = ['w0', 'w1', 'w2', 'w3']

type States = z.input<typeof MachineFile>['states']

/** Random machines: any state may lead to any other, or to an end. */
export const machines: fc.Arbitrary<Machine> = fc
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
export function randomAgents(seed: number): Say {
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
export const markOf = (key: string): string => `<<${key.replace(/[a-z]{3,}/g, (name) => name.slice(0, 1))}>>`

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
