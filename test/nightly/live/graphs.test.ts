import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { GraphRecord } from '../../../src/schema/graph/graph-record.ts'
import { describedClis } from '../../helpers/agents/described-clis.ts'
import { chainOfTrial } from '../../helpers/chained/chained-with.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { benchOk, recordsOf, root, stepsOf } from '../../helpers/runs/cli.ts'
import { type Client, families, programs, writing } from '../../live/clients.ts'
import {
  asksOf,
  counted,
  inOrder,
  liveArgs,
  liveSetting,
  logByTrial,
  patience,
  runLive,
  sumOf,
  tokensOf,
} from '../../live/live-run.ts'
import { methodsModel, toolMark } from '../../live/methods-model.ts'

const solution = readFileSync(join(root, 'tasks/answers/ferry-morning/solution/answer.txt'), 'utf8')

/** Demos, each with the words of a step whose server fails, and the step as the record names it. */
const demos = [
  { demo: 'multi_step', fails: /easy to get wrong/, step: 'traps' },
  { demo: 'fork_join', fails: /easily misread or overlooked/, step: 'p::views::risks::risks' },
] as const

/** A demo whose makers are a real program, and whose other agents are behind an HTTP provider of the document. */
function liveDocument(demo: string, { agent }: Client, url: string): string {
  const providers = [
    'providers:',
    `  program: { kind: bench_agent, config: { agent: "${agent}" } }`,
    `  remote: { kind: http_remote, config: { base_url: "${url}/v1", model: local-model, key_variable: OPENAI_COMPATIBLE_API_KEY } }`,
    'agents:',
  ].join('\n')
  return readFileSync(join(root, `strategies/dag/${demo}.yaml`), 'utf8')
    .replace(/^agents:$/m, providers)
    .replace(/^ {2}maker: \{/m, '  maker: { provider: program,')
    .replace(/^ {2}(analyst|reviewer|planner|sceptic): \{/gm, '  $1: { provider: remote,')
}

it.each<Client>([programs[0]])(
  'graphs of a document go on without a step whose HTTP provider fails, and the ledger has the server’s counts: $agent',
  async (client) => {
    const model = methodsModel(() => ({ text: solution }))
    const setting = await liveSetting((request) => {
      const prompt = request.messages.map(({ text }) => text).join('\n')
      const isBroken = demos.some(({ fails }) => fails.test(prompt))
      return {
        ...model.answer(request),
        ...(isBroken && { failure: { kind: 'status', status: 500 } }),
      }
    })
    const { folder } = setting
    const documents = tempFolder()
    const methods = demos.map(({ demo }) => {
      const path = join(documents, `${demo}.yaml`)
      writeFileSync(path, liveDocument(demo, client, setting.server.url))
      return `dag:${path}`
    })
    await runLive(setting, [
      ...['--mode', 'live', '--tasks', 'ferry-morning', '--methods', methods.join()],
      ...['--retries', '0', '--parallel', '2', '--quiet', '--out', folder],
    ])
    const log = logByTrial(setting)
    const records = recordsOf(folder)
    expect(records).toHaveLength(demos.length)
    for (const record of records) {
      const { demo, step } = demos.find((one) => record.method.includes(one.demo)) ?? demos[0]
      const asks = asksOf(folder).filter(({ trial }) => trial === record.trial)
      expect(record, demo).toMatchObject({ claimed: 'halted', passed: true, fidelity: { status: 'kept' } })
      const { steps } = GraphRecord.parse(record.state?.graph)
      expect(steps.filter(({ status }) => status !== 'done').map(({ id }) => id)).toEqual([step])
      expect(asks.flatMap(({ error }) => error?.reason ?? [])).toEqual(['server'])
      expect(new Set(asks.map(({ agent }) => agent))).toEqual(
        new Set([client.agent, 'remote=openai-compatible:local-model']),
      )
      const counts = model.byAsk(log.get(record.trial) ?? []).map(sumOf)
      expect(inOrder(asks.map(tokensOf)), demo).toEqual(inOrder(counts))
    }
    await benchOk(['replay', folder])
  },
  patience,
)

const path = 'src/parse-duration.mjs'
const right = readFileSync(join(root, `tasks/code/duration-text/solution/${path}`), 'utf8')
const start = readFileSync(join(root, `tasks/code/duration-text/files/${path}`), 'utf8')

/** A model whose first work is wrong: the checks fail, and the builder is told. Its first verdict is bad, too. */
const modelFor = ({ shell }: Client) => {
  let works = 0
  return methodsModel(
    (_, { number }) => {
      const text = works++ === 0 ? `${start}// a draft\n` : right
      if (!shell) return { text: `FILE: ${path}\n\`\`\`js\n${text}\`\`\`\n` }
      return { text: 'I write it.', toolCalls: [shell(`${writing(path, text)}; echo ${toolMark(number)}`)] }
    },
    { revise: true },
  )
}

it.each<{ builder: Client; others: Client }>([
  { builder: programs[0], others: families[3] },
  { builder: families[0], others: programs[1] },
])(
  'chained mends what checks and reviewer find, and ships: $builder.agent builds, $others.agent does the rest',
  async ({ builder, others }) => {
    const model = modelFor(builder)
    const setting = await liveSetting(model.answer)
    const { folder } = setting
    const args = liveArgs(folder, others.agent, 'duration-text', 'chained')
    await runLive(setting, [...args, '--agent', `builder=${builder.agent}`, '--retries', '0'])
    const [record] = recordsOf(folder)
    if (!record) throw new Error('no record')
    expect(record).toMatchObject({ passed: true, claimed: 'done', fidelity: { status: 'kept' } })
    const { state, ends } = chainOfTrial({ record })
    expect(ends.map(({ stage, exit }) => `${stage} ${exit}`)).toEqual([
      ...['plan 0', 'build 0', 'test 1', 'build 0', 'test 0', 'review 1'],
      ...['build 0', 'test 0', 'review 0', 'document 0', 'ship 0'],
    ])
    expect(state.ship?.files).toEqual([path])

    const asks = asksOf(folder)
    expect(asks.map(({ role, agent }) => [role, agent.split('=').at(-1)])).toEqual(
      ['planner', 'builder', 'builder', 'reviewer', 'builder', 'reviewer', 'documenter'].map((role) => [
        role,
        role === 'builder' ? builder.agent : others.agent,
      ]),
    )
    const log = logByTrial(setting).get(record.trial) ?? []
    expect(inOrder(asks.map(tokensOf))).toEqual(inOrder(model.byAsk(log).map(sumOf)))
    const stages = stepsOf(folder).flatMap((step) => (step.kind === 'stage' ? step : []))
    expect(stages).toHaveLength(ends.length)
    for (const { durationMs } of stages) expect(durationMs).toBeGreaterThan(0)
    await benchOk(['replay', folder])
  },
  patience,
)

const method = `
import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({
  name: 'twice',
  summary: 'One session, asked twice.',
  roles: { solver: 'decide' },
  options: z.object({}),
  async run({ ask }) {
    await ask('solver', 'Say one.', { session: 's' })
    return { answer: await ask('solver', 'Say two.', { session: 's' }), stopReason: 'done' }
  },
})
`

it.each([
  { name: 'claude', model: 'claude-sonnet-4-5', version: '' },
  { name: 'codex', model: 'gpt-5', version: '/v1' },
  { name: 'gemini', model: 'gemini-2.5-pro', version: '' },
  { name: 'qwen', model: 'qwen3-coder', version: '/v1' },
  { name: 'opencode', model: 'local-model', version: '/v1' },
] as const)(
  '$name, described only by a config file, resumes sessions and reports the server’s token counts',
  async ({ name, model, version }) => {
    const setting = await liveSetting(({ messages }) => ({
      text: messages.some(({ text }) => text.includes('Say two.')) ? 'TWO' : 'ONE',
      usage: { cached: 3 },
    }))
    const cwd = tempFolder()
    const file = join(cwd, 'twice.mjs')
    writeFileSync(file, method)
    const agent = {
      provider: 'cli',
      model,
      baseUrl: `${setting.server.url}${version}`,
      keyVariable: 'OPENAI_API_KEY',
      program: describedClis[name],
    }
    // What is JSON is YAML.
    writeFileSync(join(cwd, 'bench.config.yaml'), JSON.stringify({ agents: { mine: agent } }))
    await runLive(setting, liveArgs(setting.folder, 'mine', 'ferry-morning', file), { cwd })

    const asks = asksOf(setting.folder)
    expect(asks.map(({ reply, continued, error }) => [reply, continued, error])).toEqual([
      ['ONE', undefined, undefined],
      ['TWO', 'resumed', undefined],
    ])
    const log = [...logByTrial(setting).values()].flat()
    expect(asks.map(tokensOf)).toEqual(log.map(counted))
    expect(JSON.stringify(log[1]?.body)).toMatch(/Say one\..*ONE.*Say two\./)
  },
  patience,
)
