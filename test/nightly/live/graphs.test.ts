import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { GraphRecord } from '../../../src/schema/graph/plan.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { asksOf, benchOk, recordsOf, root } from '../../helpers/runs/cli.ts'
import { type Client, programs } from '../../live/clients.ts'
import { inOrder, liveSetting, logByTrial, patience, runLive, sumOf, tokensOf } from '../../live/live-run.ts'
import { methodsModel } from '../../live/methods-model.ts'

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
    await runLive(
      setting,
      argv`--mode live --tasks ferry-morning --methods ${methods.join()} --retries 0 --parallel 2 --quiet
        --out ${folder}`,
    )
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
