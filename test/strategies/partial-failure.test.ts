import { describe, expect, it } from 'vitest'
import type { AgentRequest } from '../../src/agents/agent.ts'
import { resolveOptions } from '../../src/commands/methods/documents.ts'
import { strategies } from '../../strategies/index.ts'
import { agentOf, playTrial } from '../helpers/runs/trial.ts'

/** Two rounds of the contract workflow: one fix in each, the first evaluation sends it back. */
const contractWork: Script = {
  auditor: (time) =>
    JSON.stringify({
      compliance: time % 2 === 1 ? 0.3 : 0.9,
      violations: [{ id: 'R1', text: 'it is wrong' }],
    }),
  evaluator: (time) => JSON.stringify({ satisfied: time > 1, feedback: 'negatives are missing' }),
  orchestrator: (time) =>
    JSON.stringify({ next: decisions[time - 1] ?? 'finish', brief: `Decision ${time}.` }),
}
const round = ['auditor', 'code-generator', 'auditor', 'evaluator']
const tasksOf = (round: number) =>
  ['analyst', 'tester'].slice(round - 1).map((worker) => ({ worker, do: `Look, in round ${round}.` }))
const decisions = ['contract-writer', ...round, 'refiner', ...round, 'finish']

const cases: [name: string, options: object, script?: Script][] = [
  ['self-consistency', { n: 3 }],
  ['best-of', { n: 3 }],
  ['retry', { n: 3 }],
  ['baseline', { turns: 3 }],
  ['consensus', { agents: 3 }],
  ['consensus', { agents: 3, vote: 'weighted', weights: '2:1:1' }],
  ['consensus', { agents: 3, vote: 'judge' }],
  ['consensus', { agents: 3, vote: 'combine' }],
  ['cascade', {}],
  ['cascade', { until: 'checks', steps: 2 }],
  ['cascade', { until: 'judge', steps: 2 }, { judge: () => JSON.stringify({ reason: '', accept: false }) }],
  ['sequential', { maxOuter: 2 }, contractWork],
  ['sequential', { maxOuter: 2, contractTokens: 20, violationTokens: 1, evaluatorTokens: 20 }, contractWork],
  ['sequential', { maxOuter: 2, parallel: 3 }, contractWork],
  ['integrated', {}, contractWork],
  ['dag', { workflow: 'fork_join' }],
  ['dag', { workflow: 'debate' }],
  ['dag', { workflow: 'referee' }],
  ['dag', { workflow: 'planner_executor' }, { planner: () => JSON.stringify({ steps: ['Begin.', 'End.'] }) }],
  ['dag', { workflow: 'hierarchical' }, { lead: (time) => JSON.stringify({ tasks: tasksOf(time) }) }],
]

/** What a role replies the nth time that it is asked. */
type Script = Readonly<Record<string, (time: number) => string>>

const nobody = () => false
/** A mark in each answer of an agent, which no prompt of a strategy contains. */
const markOf = (key: string) => `said${key.replace(/\W+/g, 'x')}y`
const branchOf = (key: string) => key.slice(0, key.lastIndexOf('#'))

/** Answers each ask with its own mark, and refuses the asks with these keys. */
async function run(name: string, given: object, script: Script, refuses: (key: string) => boolean) {
  const strategy = strategies.find((one) => one.name === name)
  if (!strategy) throw new Error(name)
  const requests: AgentRequest[] = []
  const times = new Map<string, number>()
  const agent = agentOf((request) => {
    const { role, schema, trial } = request
    requests.push(request)
    if (refuses(trial.key)) return { error: { reason: 'refusal', message: 'no' } }
    const time = (times.get(role) ?? 0) + 1
    times.set(role, time)
    const said = script[role]?.(time)
    if (said !== undefined) return said
    const { best, winner } = (schema?.properties ?? {}) as Record<string, { enum?: string[] }>
    const [letter] = best?.enum ?? winner?.enum ?? []
    if (letter) return JSON.stringify({ reason: '', best: letter, winner: letter })
    return `${'A requirement of many words. '.repeat(5)}${markOf(trial.key)}\nAnswer: ${trial.key.length}`
  })
  const options = resolveOptions(strategy, strategy.options.parse(given) as object, true)
  return { ...(await playTrial({ agent, strategy, options: { ...options } })), requests }
}

describe.each(cases)('%s %j', (name, options, script = {}) => {
  it('ends with an outcome whichever ask fails, and mentions no agent that gave nothing', async () => {
    const whole = await run(name, options, script, nobody)
    expect(whole.record.outcome.status).toBe('completed')
    const keys = whole.requests.map(({ trial }) => trial.key)
    if (script === contractWork) expect(keys.length).toBeGreaterThan(10)
    for (const key of keys) {
      const { record, requests } = await run(name, options, script, (one) => one === key)
      const { status, reason } = record.outcome
      expect(['completed', 'failed']).toContain(status)
      if (status === 'failed') expect(reason).toContain('refusal')
      expect(record.fidelity?.status).toBe('kept')
      const failed = requests.findIndex(({ trial }) => trial.key === key)
      // The branch of a failed agent is dropped, with all earlier replies in it.
      const branch = branchOf(key)
      const out = branch === '' ? [] : requests.filter(({ trial }) => branchOf(trial.key) === branch)
      for (const { prompt, trial } of requests.slice(failed + 1)) {
        expect(prompt).not.toMatch(/refus|\battempt|gave nothing|no reply|did not (answer|reply)/i)
        if (branchOf(trial.key) === branch) continue
        for (const { trial: silent } of out) expect(prompt).not.toContain(markOf(silent.key))
        if (name === 'consensus') expect(prompt).not.toMatch(/\bworker|fail/i)
        if (name === 'consensus') expect(prompt.match(/## candidate/g)?.length ?? 2).toBe(2)
      }
    }
    const none = await run(name, options, script, () => true)
    expect(none.record.outcome).toMatchObject({ status: 'failed' })
  })
})

it('a record names an agent that judges its own work, and no other', async () => {
  const { record } = await run('consensus', { vote: 'judge' }, {}, nobody)
  expect(record.ownJudge).toBe('test')
  expect((await run('consensus', {}, {}, nobody)).record.ownJudge).toBeUndefined()
})
