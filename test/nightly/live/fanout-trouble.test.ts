import { expect, it } from 'vitest'
import { benchOk, recordsOf, startBench, until } from '../../helpers/runs/cli.ts'
import { programs } from '../../live/clients.ts'
import { fanoutModel, filing } from '../../live/fanout-model.ts'
import {
  continuedOf,
  ledBy,
  liveWorkflow,
  post,
  remote,
  runsWorkflow,
  solution,
  withAgents,
  workflowArgs,
} from '../../live/fanout-run.ts'
import { asksOf, liveSetting, patience, runLive } from '../../live/live-run.ts'

const [claude] = programs

it(
  'fanout halts, and hands in what there is, when a program that directs it gives no decision',
  async () => {
    const model = fanoutModel({
      Writer: () => ({ text: post }),
      'Quality gate': () => ({ text: JSON.stringify({ decision: 'retry', quality_score: 4 }) }),
      Decision: () => ({ text: 'Let us see how it goes on.' }),
    })
    const setting = await liveSetting(model)
    const workflow = liveWorkflow('post-gates', [
      ledBy(claude.agent),
      withAgents(
        Object.fromEntries(['ada', 'ben', 'cleo', 'gate'].map((name) => [name, `agent: ${remote(name)}`])),
      ),
      [/^settings:/m, 'circuit_breaker: { rules: [{ rule: state_visits, max: 2 }] }\nsettings:'],
      [/retry_count: 1/, 'retry_count: 0'],
    ])
    const { record, machine, asks } = await runsWorkflow(setting, workflow, 'night-bread')
    expect(record).toMatchObject({ claimed: 'halted', passed: true })
    expect(machine).toMatchObject({
      breaks: [{ rule: 'state_visits', hard: false }],
      decisions: [{ trigger: 'loop_warning', decision: 'invalid' }],
      ended: null,
      delivered: 'drafts/ada.md',
    })
    // The reply, and the one repair that each ask has.
    const decisions = asks.filter(({ role }) => role === 'orchestrator')
    expect(decisions.map(({ reply, continued }) => [reply, continued])).toEqual(
      Array(2).fill(['Let us see how it goes on.', undefined]),
    )
    expect(decisions[0]?.prompt).toMatch(/^## task\n# Task\n# A post from notes$/m)
    await benchOk(['replay', setting.folder])
  },
  patience,
)

it(
  'fanout:code after kill -9 asks no agent again that has answered, and tells a program its session anew',
  async () => {
    let isKilled = false
    const model = fanoutModel({
      Maker: (request) => filing(request, solution, request.model === 'ben' ? false : claude.shell),
      Reviewer: ({ model }) => (isKilled || model === 'ben' ? undefined : { failure: { kind: 'hang' } }),
      Combiner: (request) => filing(request, solution),
    })
    const setting = await liveSetting(model)
    const { server, folder, env } = setting
    const workflow = liveWorkflow('code', [
      ledBy(remote('lead')),
      withAgents({
        ada: `agent: ${claude.agent}, session: true`,
        ben: `agent: ${remote('ben')}, session: true`,
      }),
      [/, cleo\]/g, ']'],
    ])
    const running = startBench(workflowArgs(folder, workflow, 'duration-text'), { env })
    const isAnswered = () => asksOf(folder).some(({ key }) => key.startsWith('cross-review.ben'))
    await until(() => running.isOver() || (isAnswered() && server.asked() >= 5))
    running.kill('SIGKILL')
    await running.ended
    const before = server.asked()
    isKilled = true
    const { stderr } = await runLive(setting, ['--resume', folder, '--quiet'])
    expect(stderr).toMatch(/1 call\(s\) .*maybe paid/)
    expect(recordsOf(folder)).toMatchObject([{ claimed: 'done', passed: true }])
    const asks = asksOf(folder)
    // Ada's review, which was in flight, and all that comes after it.
    const again = server.log.filter(({ number }) => number > before).map(({ model }) => model)
    expect(again.sort()).toEqual([
      'ben',
      claude.agent.split(':')[1],
      claude.agent.split(':')[1],
      'lead',
      'lead',
    ])
    expect(asks.filter(({ maybePaid }) => maybePaid).map(({ key }) => key.split('#')[0])).toEqual([
      'cross-review.ada',
    ])
    expect(continuedOf(asks, 'ada')).toEqual([undefined, 'retold', 'resumed'])
    await benchOk(['replay', folder])
  },
  patience,
)
