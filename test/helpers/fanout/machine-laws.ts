import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { AskStep, Step } from '../../../src/schema/ledger/step.ts'
import type { Machine } from '../../../src/schema/machine/machine-file.ts'
import type { MachineRecord } from '../../../src/schema/machine/machine-record.ts'
import { withoutWall } from '../graph/graphs.ts'
import { agentNames, machines, markOf, randomAgents } from './random-machines.ts'
import { runInTrial } from './run-machine.ts'

/** Drives this many random machines with random replies and failures through the loop, and checks what must hold for each. */
export async function checkMachineLaws(numRuns: number): Promise<void> {
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
