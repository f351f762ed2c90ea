import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { machineFrom, pathOf, states, verdict } from '../../helpers/fanout/machine-lines.ts'
import { runInTrial, type Say } from '../../helpers/fanout/run-machine.ts'
import { withoutWall } from '../../helpers/graph/graphs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { answerTask } from '../../helpers/runs/trial.ts'

const halting = JSON.stringify({ decision: 'halt', reasoning: 'no use' })
const json = (value: unknown) => JSON.stringify(value)

/** Agents that work; the gate sends the drafts back as often as `retries`, and ada fails in her second visit. */
const working =
  (retries: number): Say =>
  (role, branch, { prompt }) => {
    if (branch.startsWith('draft.ada~2')) return { error: { reason: 'refusal', message: 'no' } }
    if (role === 'gate') return json(verdict(seen(prompt) <= retries ? 'retry' : 'proceed', 5, 'Be brief.'))
    if (prompt.includes('You direct this workflow')) return halting
    return `${branch || role} says 42\nAnswer: 42`
  }

/** Which visit the drafts in a gate's prompt are of. */
const seen = (prompt: string) => Number(/draft\.ben(?:~(\d))? says/.exec(prompt)?.[1] ?? 1)

describe('a machine in a trial', () => {
  it('keeps its declared flow, hands in an answer, and writes its outputs', async () => {
    const { record, machine, folder } = await runInTrial(machineFrom(states), working(1))
    expect(record).toMatchObject({
      ...{ outcome: { status: 'completed' }, claimed: 'done', passed: true, fidelity: { status: 'kept' } },
    })
    expect(pathOf(machine())).toEqual(['start', 'draft', 'check', 'draft', 'check', 'combine', 'complete'])
    expect(machine().visits[3]).toMatchObject({ result: 'partial_success', runs: [{ status: 'failed' }, {}] })
    expect(
      readFileSync(join(folder, 'artifacts', record.trial, 'outputs', 'final', 'text.md'), 'utf8'),
    ).toContain('42')
  })

  it('records what each agent has spent, and the sums are those of the trial', async () => {
    const { record, machine } = await runInTrial(machineFrom(states), working(0))
    const runs = machine().visits.flatMap(({ runs }) => runs)
    expect(runs[0]).toMatchObject({ ms: 10, spent: { calls: 1, input: 100, output: 10, costUsd: 0.01 } })
    expect(runs.reduce((sum, { spent }) => sum + spent.calls, 0)).toBe(record.spent.calls)
    expect(runs.reduce((sum, { spent }) => sum + (spent.input ?? 0), 0)).toBe(record.spent.input)
  })

  it('records what agents have spent after one that did not report it', async () => {
    const { machine } = await runInTrial(machineFrom(states), (role, branch, request) =>
      branch === 'draft.ada'
        ? { text: 'It says 42', costUsd: null, tokens: { input: null, output: null, cached: null } }
        : working(0)(role, branch, request),
    )
    const unknown = { calls: 1, input: null, output: null, costUsd: null }
    const known = { calls: 1, input: 100, output: 10, costUsd: 0.01 }
    const spent = machine().visits.flatMap(({ runs }) => runs.map((one) => [one.agent, one.spent]))
    expect(spent).toEqual([['ada', unknown], ...spent.slice(1).map(([agent]) => [agent, known])])
    expect(spent.length).toBeGreaterThan(3)
  })

  it.each([
    ['rule', { rules: [{ rule: 'cost' as const, max_usd: 0.03 }] }, false, 'halted'],
    ['hard limit', { hard: { cost_usd: 0.03 } }, true, 'exhausted'],
  ])('breaks by cost: a %s', async (_, circuit_breaker, hard, claimed) => {
    const { record, machine } = await runInTrial(machineFrom(states, { circuit_breaker }), working(9))
    expect(machine().breaks).toMatchObject([
      { rule: 'cost', hard, fact: '0.03 dollars were spent', to: 'draft' },
    ])
    expect(record.claimed).toBe(claimed)
  })

  it('never breaks by an unknown cost, and says so once', async () => {
    const circuit_breaker = { rules: [{ rule: 'cost' as const, max_usd: 0.01 }], hard: { cost_usd: 0.02 } }
    const unknown: Say = (...asked) => ({ text: String(working(1)(...asked)), costUsd: null })
    const events: string[] = []
    const setting = { event: (_: string, __: string, { type }: { type: string }) => void events.push(type) }
    const { machine } = await runInTrial(machineFrom(states, { circuit_breaker }), unknown, setting)
    expect(machine()).toMatchObject({ breaks: [], costUnknown: true, ended: 'complete' })
    expect(events.filter((type) => type === 'cost_unknown')).toHaveLength(1)
    expect(machine().visits[1]?.runs[0]?.spent.costUsd).toBeNull()
  })

  it('ends at a limit of the trial with its record and what it has', async () => {
    const { record, machine } = await runInTrial(machineFrom(states), working(0), { limits: { calls: 3 } })
    expect(record.outcome.status).toBe('limited')
    expect(pathOf(machine())).toEqual(['start', 'draft', 'check', 'combine'])
    expect(machine().visits.at(-1)?.runs).toMatchObject([{ agent: 'orchestrator', status: 'failed' }])
    expect(record.fidelity).toEqual({ status: 'kept' })
  })

  it('is an error of the provider where no agent ever answers', async () => {
    const { record } = await runInTrial(machineFrom(states), () => ({
      error: { reason: 'server', message: 'down' },
    }))
    expect(record.outcome).toMatchObject({ status: 'error', reason: expect.stringContaining('down') })
  })

  it('repairs a decision once, and halts safely after that', async () => {
    const circuit_breaker = { rules: [{ rule: 'state_visits' as const, max: 2 }] }
    const say: Say = (role, branch, request) =>
      role === 'orchestrator' ? 'We go on!' : working(9)(role, branch, request)
    const { record, machine, steps } = await runInTrial(machineFrom(states, { circuit_breaker }), say)
    expect(machine().decisions).toMatchObject([{ decision: 'invalid' }])
    expect(record.claimed).toBe('halted')
    expect(steps.filter((step) => step.kind === 'ask' && step.repair)).toHaveLength(1)
  })
})

describe('a machine that was killed', () => {
  it('goes on from any line of its journal, asks nobody twice, and replays', async () => {
    const machine = machineFrom(states)
    const live = { mode: 'live' as const, task: answerTask({}, { 'a.txt': 'A' }) }
    const whole = await runInTrial(machine, working(1), live)
    expect(whole.record.claimed).toBe('done')
    const lines = readFileSync(join(whole.folder, 'steps.jsonl'), 'utf8').trimEnd().split('\n')
    const asksIn = (some: readonly string[]) =>
      some.map((line) => JSON.parse(line)).flatMap((line) => (line.kind === 'ask' ? [line.key] : []))
    const all = asksIn(lines)
    for (let cut = 0; cut <= lines.length; cut++) {
      const folder = tempFolder()
      cpSync(whole.folder, folder, { recursive: true })
      writeFileSync(
        join(folder, 'steps.jsonl'),
        lines
          .slice(0, cut)
          .map((line) => `${line}\n`)
          .join(''),
      )
      const resumed = await runInTrial(machine, working(1), { ...live, folder })
      expect(resumed.divergences).toEqual([])
      const before = asksIn(lines.slice(0, cut))
      expect([...before, ...resumed.asked].toSorted()).toEqual(all.toSorted())
      expect(resumed.machine()).toEqual(whole.machine())
      const replayed = await runInTrial(machine, () => '', { ...live, folder, replay: true })
      expect(replayed).toMatchObject({ divergences: [], asked: [] })
      expect(withoutWall(replayed)).toEqual(withoutWall(resumed))
      rmSync(folder, { recursive: true })
    }
  })
})
