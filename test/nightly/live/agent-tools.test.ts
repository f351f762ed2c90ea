import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ToolStep } from '../../../src/schema/ledger/tool-step.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { asksOf, benchOk, recordsOf, root, stepsOf } from '../../helpers/runs/cli.ts'
import { programs, writing } from '../../live/clients.ts'
import {
  inOrder,
  type LiveSetting,
  liveSetting,
  logByTrial,
  patience,
  runLive,
  sumOf,
  tokensOf,
} from '../../live/live-run.ts'
import type { Answer, CalledTool, ModelRequest } from '../../model-server/script.ts'

const [program] = programs
const remote = 'remote=openai-compatible:local-model'
const path = 'src/parse-duration.mjs'
const solution = readFileSync(join(root, 'tasks/code/duration-text/solution', path), 'utf8')

/** What the model calls, turn by turn, of the tools that it is offered; then it answers. */
const turns: readonly (readonly CalledTool[])[] = [
  [
    { name: 'read', input: { path } },
    { name: 'memory_recall', input: { query: 'duration units' } },
  ],
  [
    { name: 'write', input: { path, content: solution } },
    { name: 'memory_store', input: { title: 'Duration', text: 'The units are d, h, m and s.' } },
    { name: 'check', input: {} },
  ],
]

/** The calls of a model over HTTP since it was last asked something. */
function nextCalls({ messages, tools }: ModelRequest): CalledTool[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const done = messages.slice(asked).filter(({ role }) => role === 'assistant').length
  return (turns[done] ?? []).filter(({ name }) => tools.includes(name))
}

/** A model that calls tools of bench, or has its program write the file. It is right in both. */
function model(request: ModelRequest): Answer {
  const isProgram = !request.model.startsWith('local')
  const isDone = request.messages.some(({ role }) => role === 'tool')
  if (isProgram)
    return isDone
      ? { text: 'It is done.' }
      : { text: 'I work.', toolCalls: [program.shell(writing(path, solution))] }
  const toolCalls = nextCalls(request)
  if (toolCalls.length > 0) return { text: 'I look.', toolCalls }
  const delivery = request.tools.includes('write')
    ? ''
    : `
FILE: ${path}
\`\`\`js
${solution}\`\`\`
`
  return { text: `It is done, and nothing is missing.${delivery}` }
}

/** A demo of tools whose agents are behind an HTTP provider of the document; its makers may be a program. */
function documentOf(demo: string, { server }: LiveSetting, maker: 'remote' | 'program'): string {
  const providers = [
    'providers:',
    `  program: { kind: bench_agent, config: { agent: "${program.agent}" } }`,
    `  remote: { kind: http_remote, config: { base_url: "${server.url}/v1", model: local-model, key_variable: OPENAI_COMPATIBLE_API_KEY } }`,
    'agents:',
  ].join('\n')
  const text = readFileSync(join(root, `strategies/dag/${demo}.yaml`), 'utf8')
    .replace(/^agents:$/m, providers)
    .replace(/^ {2}maker: \{/m, `  maker: { provider: ${maker},`)
    .replace(/^ {2}(reader|reviewer|analyst|judge): \{/gm, '  $1: { provider: remote,')
  const file = join(tempFolder(), `${demo}.yaml`)
  writeFileSync(file, text)
  return file
}

const calledIn = (folder: string): ToolStep[] =>
  stepsOf(folder).filter((step): step is ToolStep => step.kind === 'tool')

it.each([
  { demo: 'tools', maker: 'remote', shows: ['check', 'read', 'write'] },
  { demo: 'memory', maker: 'remote', shows: ['memory_recall', 'memory_store'] },
  { demo: 'tools_and_memory', maker: 'program', shows: ['check', 'memory_recall', 'memory_store', 'read'] },
] as const)(
  'the demo $demo works with an HTTP provider, its makers at $maker, and the ledger has the server’s counts',
  async ({ demo, maker, shows }) => {
    const setting = await liveSetting(model)
    const { folder } = setting
    await runLive(
      setting,
      argv`--mode live --tasks duration-text --methods dag:${documentOf(demo, setting, maker)} --retries 0
        --quiet --out ${folder}`,
    )
    const [record] = recordsOf(folder)
    expect(record).toMatchObject({ claimed: 'done', passed: true, outcome: { status: 'completed' } })

    const calls = calledIn(folder)
    expect([...new Set(calls.map(({ call }) => call.name))].sort()).toEqual(shows)
    expect(calls.filter(({ outcome }) => outcome !== 'ok')).toEqual([])
    // The program used its own tools.
    expect(new Set(calls.map(({ agent }) => agent))).toEqual(new Set([remote]))
    if (demo !== 'tools')
      expect(
        calls.some(({ call, result }) => call.name === 'memory_recall' && result.includes('The units are')),
      ).toBe(true)

    const asks = asksOf(folder)
    const requests = logByTrial(setting).get(record?.trial ?? '') ?? []
    const ofProgram = requests.filter((entry) => !JSON.stringify(entry.body).includes('"local-model"'))
    const remoteAsks = asks.filter(({ agent }) => agent === remote)
    const others = requests.filter((entry) => !ofProgram.includes(entry))
    expect(inOrder(remoteAsks.map(tokensOf))).toEqual(inOrder(others.map((entry) => sumOf([entry]))))
    expect(ofProgram.length > 0).toBe(maker === 'program')
    const programAsks = asks.filter(({ agent }) => agent === program.agent)
    const sum = (part: 'input' | 'output') =>
      programAsks.reduce((total, { tokens }) => total + (tokens[part] ?? 0), 0)
    if (maker === 'program') expect([sum('input'), sum('output')]).toEqual(sumOf(ofProgram).slice(0, 2))
    await benchOk(['replay', folder])
  },
  patience,
)
