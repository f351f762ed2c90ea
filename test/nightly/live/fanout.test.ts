import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fillShape, textPlace } from '../../../src/agents/simulated/shape-fill.ts'
import type { AskStep } from '../../../src/schema/ledger/step.ts'
import { MachineRecord } from '../../../src/schema/machine/machine-record.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { asksOf, benchOk, recordsOf, root, startBench, until } from '../../helpers/runs/cli.ts'
import { type Client, programs, writing } from '../../live/clients.ts'
import { type LiveSetting, liveSetting, patience, runLive } from '../../live/live-run.ts'
import { toolMark } from '../../live/methods-model.ts'
import type { Answer, ModelRequest } from '../../model-server/script.ts'

/** What is said to whoever gets the prompt of a persona, by the persona's title; `Decision` is a prompt of a decision. */
type Lines = Readonly<Record<string, (request: ModelRequest, count: number) => Answer | undefined>>

/** Everything that a request tells, as text. */
const textOf = ({ system, messages }: ModelRequest): string =>
  [system, ...messages.map(({ text }) => text)].join('\n')

/** The title of the last persona in a request. What is before it is its conversation. */
const titleOf = (request: ModelRequest) =>
  [...textOf(request).matchAll(/^(?:# ([A-Z][a-z]+(?: [a-z]+)?)\n\n## Task|You (direct) this workflow)/gm)]
    .map(([, title]) => title ?? 'Decision')
    .filter((title) => title !== 'Orchestrator')
    .at(-1) ?? ''

/** A model that plays a workflow: lines by persona, good verdicts where data is wanted, else a text. */
function fanoutModel(lines: Lines): (request: ModelRequest) => Answer {
  const counts = new Map<string, number>()
  return (request) => {
    const last = request.messages.findLastIndex(({ role }) => role === 'assistant')
    if (request.messages.slice(last + 1).some(({ role }) => role === 'tool')) return { text: 'It is done.' }
    const title = titleOf(request)
    const count = (counts.get(title) ?? 0) + 1
    counts.set(title, count)
    return lines[title]?.(request, count) ?? { text: inShape(textOf(request)) ?? `So says ${request.model}.` }
  }
}

/** Good data in the shape that a prompt wants last. */
function inShape(prompt: string): string | undefined {
  const schema = [...prompt.matchAll(/It must match this JSON Schema:\n(\{.*\})/g)].at(-1)?.[1]
  if (schema === undefined) return undefined
  const good = { approved: true, signal: 1, items: 0, text: () => 'Well done.' }
  return JSON.stringify(fillShape(JSON.parse(schema), good)).replaceAll(textPlace, '')
}

/** A reply that hands in a file: a program writes it with a tool, any other agent in its text. */
function filing(
  request: ModelRequest,
  { path, text }: { path: string; text: string },
  shell: Client['shell'] | false = false,
): Answer {
  if (!shell) return { text: `FILE: ${path}\n\`\`\`js\n${text}\`\`\`\n` }
  const command = `${writing(path, text)}; echo ${toolMark(request.number)}`
  return { text: 'I write it.', toolCalls: [shell(command)] }
}

const path = 'src/parse-duration.mjs'

/** What solves the code task: a file and its content. */
const solution = {
  path,
  text: readFileSync(join(root, `tasks/code/duration-text/solution/${path}`), 'utf8'),
}
/** What solves the writing task. */
const post = readFileSync(join(root, 'tasks/writing/night-bread/solution/answer.txt'), 'utf8')

/** An agent behind HTTP, as a workflow names it. Its model has the agent's name. */
const remote = (name: string): string => `"${name}=openai-compatible:${name}"`

type Edit = readonly [RegExp, string]

/** Who directs a workflow. */
const ledBy = (agent: string, more = ''): Edit => [
  /^ {2}persona: orchestrator$/m,
  `  persona: orchestrator\n  agent: ${agent}${more}`,
]

/** The agents of a workflow, each with its settings. */
const withAgents = (agents: Readonly<Record<string, string>>): Edit => [
  /^agents:(?: .*)?\n(?: {2}.*\n)*/m,
  `agents:\n${Object.entries(agents)
    .map(([name, settings]) => `  ${name}: { ${settings} }\n`)
    .join('')}`,
]

/** A shipped workflow in a file of its own, with its personas beside it. `edits` replace parts of its text. */
function liveWorkflow(name: string, edits: readonly Edit[]): string {
  const folder = tempFolder()
  const shipped = join(root, 'strategies/fanout')
  cpSync(join(shipped, 'personas'), join(folder, 'personas'), { recursive: true })
  let text = readFileSync(join(shipped, `${name}.yaml`), 'utf8')
  for (const [part, edit] of edits) {
    if (!part.test(text)) throw new Error(`${name}.yaml has no ${part}`)
    text = text.replace(part, edit)
  }
  const file = join(folder, `${name}.yaml`)
  writeFileSync(file, text)
  return file
}

/** Arguments of a live run of a workflow on a task. */
const workflowArgs = (folder: string, workflow: string, task: string): string[] =>
  argv`--mode live --tasks ${task} --methods fanout:${workflow} --retries 0 --quiet --out ${folder}`

/** Runs a workflow on a task; gives what record and ledger say, and the path as `state: transition`. */
async function runsWorkflow(setting: LiveSetting, workflow: string, task: string) {
  const { folder } = setting
  await runLive(setting, workflowArgs(folder, workflow, task))
  const [record] = recordsOf(folder)
  const machine = MachineRecord.parse(record?.state?.machine)
  return {
    record,
    machine,
    asks: asksOf(folder),
    states: machine.visits.map(({ state, result }) => (result === null ? state : `${state}: ${result}`)),
  }
}

/** How each ask of a role went on with its session. */
const continuedOf = (asks: readonly AskStep[], role: string): AskStep['continued'][] =>
  asks.filter((ask) => ask.role === role && !ask.maybePaid).map(({ continued }) => continued)

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

describe('fanout trouble', () => {
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
      expect(stderr).toMatch(/1 call of an earlier session .* may have been paid/)
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
})
