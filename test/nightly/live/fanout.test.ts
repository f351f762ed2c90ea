import { expect, it } from 'vitest'
import { benchOk } from '../../helpers/runs/cli.ts'
import { programs } from '../../live/clients.ts'
import { fanoutModel, filing, textOf } from '../../live/fanout-model.ts'
import {
  continuedOf,
  ledBy,
  liveWorkflow,
  post,
  remote,
  runsWorkflow,
  solution,
  withAgents,
} from '../../live/fanout-run.ts'
import { liveSetting, patience } from '../../live/live-run.ts'
import type { ModelRequest } from '../../model-server/script.ts'

const [claude, codex] = programs

it(
  'fanout:code goes on without an agent whose server is down: programs resume their sessions in each branch, and no prompt names it',
  async () => {
    const model = fanoutModel({
      Maker: (request) => filing(request, solution, request.model === 'ben' ? false : claude.shell),
      Combiner: (request) => filing(request, solution, codex.shell),
    })
    const setting = await liveSetting((request) =>
      request.model === 'cleo' ? { failure: { kind: 'status', status: 500 } } : model(request),
    )
    const workflow = liveWorkflow('code', [
      ledBy(codex.agent),
      withAgents({
        ada: `agent: ${claude.agent}, session: true`,
        ben: `agent: ${remote('ben')}`,
        cleo: `agent: ${remote('cleo')}`,
      }),
      [/retry_count: 1/, 'retry_count: 0'],
    ])
    const { record, machine, asks, states } = await runsWorkflow(setting, workflow, 'duration-text')
    expect(states).toEqual([
      'start: next',
      'solve: partial_success',
      'cross-review: partial_success',
      'combine: success',
      'final-review: partial_success',
      'final-analysis: success',
      'complete',
    ])
    expect(record).toMatchObject({ claimed: 'done', passed: true, fidelity: { status: 'kept' } })
    expect(machine.delivered).toBe('final/solution.md')
    expect(continuedOf(asks, 'ada')).toEqual([undefined, 'resumed', 'resumed'])
    expect(continuedOf(asks, 'orchestrator')).toEqual([undefined, 'resumed'])
    expect(asks.flatMap(({ role, error }) => (error ? [`${role}: ${error.reason}`] : []))).toEqual(
      Array(3).fill('cleo: server'),
    )
    const sum = (counts: readonly (number | null | undefined)[]) =>
      counts.reduce<number>((all, one) => all + (one ?? 0), 0)
    const { log } = setting.server
    expect(sum(asks.map(({ tokens }) => tokens.input))).toBe(sum(log.map(({ usage }) => usage?.input)))
    for (const { body } of log)
      expect(JSON.stringify({ ...(body as object), model: '' })).not.toMatch(/cleo/i)
    await benchOk(['replay', setting.folder])
  },
  patience,
)

it(
  'fanout:post-gates sends back with guidance once, goes on without a program that hangs, and tells a trimmed session again',
  async () => {
    const guidance = 'Open with the flour on the floor.'
    const silent = 'claude-haiku-4-5'
    const model = fanoutModel({
      Writer: ({ model }) => (model === silent ? { failure: { kind: 'hang' } } : { text: post }),
      Synthesizer: () => ({ text: post }),
      'Quality gate': (_, count) =>
        count === 1
          ? { text: JSON.stringify({ decision: 'retry', quality_score: 4, retry_guidance: guidance }) }
          : undefined,
      Decision: () => ({ text: JSON.stringify({ decision: 'proceed', reasoning: 'It is good.' }) }),
    })
    const requests: ModelRequest[] = []
    const setting = await liveSetting((request) => {
      requests.push(request)
      return model(request)
    })
    const workflow = liveWorkflow('post-gates', [
      ledBy(claude.agent, '\n  max_messages: 4'),
      withAgents({
        ada: `agent: ${remote('ada')}, session: true`,
        ben: `agent: ${codex.agent}, session: true`,
        cleo: `agent: "claude-cli:${silent}"`,
        gate: `agent: ${remote('gate')}, session: true`,
      }),
      [/agents: \[ada, ben, cleo\](?=\n {4}persona: auditor)/g, 'agents: [ada, ben]'],
      [/timeout_per_agent: 300, retry_count: 1/, 'timeout_per_agent: 8, retry_count: 0'],
    ])
    const { record, machine, asks, states } = await runsWorkflow(setting, workflow, 'night-bread')
    expect(states).toEqual([
      'start: next',
      'draft: partial_success',
      'draft-check: retry',
      'draft: partial_success',
      'draft-check: proceed',
      'cross-audit: all_success',
      'audit-check: proceed',
      'synthesize: success',
      'synth-check: proceed',
      'final-audit: all_success',
      'final-analysis: success',
      'complete',
    ])
    expect(record).toMatchObject({ claimed: 'done', passed: true, fidelity: { status: 'kept' } })
    expect(
      machine.visits.flatMap(({ runs }) => runs).filter(({ status }) => status === 'timeout'),
    ).toHaveLength(2)
    expect(machine.decisions).toMatchObject([{ trigger: 'workflow_complete', decision: 'proceed' }])
    // The agents of the second visit are told, in their new messages, and nobody else.
    const told = asks.filter(({ prompt }) => prompt?.includes(guidance))
    expect(told.map(({ key }) => key.split('#')[0]).sort()).toEqual([
      'draft.ada~2',
      'draft.ben~2',
      'draft.cleo~2',
    ])
    const newest = requests.filter(({ messages }) => messages.at(-1)?.text.includes(guidance))
    expect(newest.map(({ model }) => model).sort()).toEqual(['ada', silent, 'gpt-5'])
    for (const { model, ...request } of requests)
      expect(textOf({ model, ...request }), model).not.toMatch(/cleo/i)

    const resumed = ['resumed', 'resumed', 'resumed']
    expect(continuedOf(asks, 'ben')).toEqual([undefined, ...resumed])
    // Four messages are the system prompt, one turn, and the new prompt: the last of three turns no longer finds the first.
    expect(continuedOf(asks, 'orchestrator')).toEqual([undefined, 'resumed', 'retold'])
    const tokens = await benchOk(['show', setting.folder, '--tokens'])
    const largest = Math.max(
      ...asks.flatMap(({ role, tokens }) => (role === 'ben' ? (tokens.input ?? 0) : [])),
    )
    const window = `${largest.toLocaleString('en')} +400,000 \\(price table\\) +\\d\\.\\d +healthy`
    expect(tokens).toMatch(new RegExp(`^ben, session workflow +${window}$`, 'm'))
    expect(tokens).toMatch(/^cleo, each call alone +unknown +200,000 \(price table\) +- +unknown$/m)
    await benchOk(['replay', setting.folder])
  },
  patience,
)
