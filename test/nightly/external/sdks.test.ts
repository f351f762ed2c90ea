import { join } from 'node:path'
import { expect, it } from 'vitest'
// @ts-expect-error a script without types
import { exampleFolder } from '../../../scripts/install-clis.mjs'
import { benchOk } from '../../helpers/runs/cli.ts'
import {
  applications,
  costOf,
  holding,
  liveRun,
  placeExample,
  pricesIn,
  trialsOf,
} from '../../helpers/stages/applications.ts'
import type { ModelRequest } from '../../model-server/script.ts'

/** The programs of fixtures/applications/sdks, each with the role whose agent speaks its format. */
const sdks = {
  openai: 'chat',
  ai: 'chat',
  mastra: 'chat',
  langchain: 'chat',
  anthropic: 'claude',
  genai: 'gemini',
}
const agents = {
  chat: 'openai-compatible:local-model',
  claude: 'anthropic:claude-opus-5',
  gemini: 'google:gemini-2.5-pro',
}

/** A model that calls the tool once, answers as JSON where it is asked to, and fails once for each SDK. */
function script() {
  const failed = new Set<string>()
  return ({ body, messages, tools, stream }: ModelRequest) => {
    const [, sdk = '', deed = ''] = /"(\w+): ([a-z ]+)"/.exec(JSON.stringify(body)) ?? []
    if (deed === 'fails once' && !failed.has(sdk)) {
      failed.add(sdk)
      return { failure: { kind: 'status', status: 503, message: 'busy' } } as const
    }
    const result = messages.find(({ role }) => role === 'tool')
    if (deed === 'loop' && !result) return { toolCalls: [{ name: 'add', input: { a: 2, b: 3 } }] }
    if (deed === 'loop') return { text: `The sum is ${/\b5\b/.exec(result?.text ?? '')?.[0]}.` }
    if (deed !== 'structured') return { text: `Did ${deed}.`, ...(stream && { pieces: 5 }) }
    // Some SDKs want an object by a tool of their own.
    const [tool] = tools
    return tool === undefined
      ? { text: '{"answer":418}' }
      : { toolCalls: [{ name: tool, input: { answer: 418 } }] }
  }
}

it('programs with the SDKs of the field do all that their guides show, to the token and the dollar', async () => {
  const { cwd, env, server } = await applications(script(), {})
  placeExample('sdks', cwd, exampleFolder('sdks'))
  const methods = Object.entries(sdks).map(
    ([name, role]) => `${name}=external:node ${name}.mjs[folder=app,roles=${role}]`,
  )
  const roles = Object.entries(agents).flatMap(([role, agent]) => ['--agent', `${role}=${agent}`])
  await benchOk(liveRun(methods.join(','), ...roles, ...pricesIn(cwd, Object.values(agents))), { cwd, env })

  const trials = trialsOf(join(cwd, 'r'))
  for (const name of Object.keys(sdks)) {
    const { record, asks, stage } = trials[name] ?? {}
    expect([name, record?.outcome.status, stage?.output ?? '']).toEqual([
      name,
      'completed',
      expect.stringContaining('Answer: 418'),
    ])
    const [did = ''] = record?.answer?.split('\n') ?? []
    expect([name, JSON.parse(did)]).toEqual([
      name,
      {
        stream: 'Did stream.',
        loop: 'The sum is 5.',
        structured: { answer: 418 },
        both: ['Did one.', 'Did two.'],
        retried: 'Did fails once.',
      },
    ])
    const entries = holding(server, `"${name}: `)
    const sum = (of: 'input' | 'output') =>
      entries.reduce((total, { usage }) => total + (usage?.[of] ?? 0), 0)
    expect([name, asks?.length, record?.spent.input, record?.spent.output]).toEqual([
      name,
      entries.length,
      sum('input'),
      sum('output'),
    ])
    expect(record?.spent.costUsd, name).toBeCloseTo(costOf(entries), 9)
    expect(asks?.flatMap(({ error }) => error?.reason ?? [])).toEqual(['server'])
    expect([name, record?.passed, record?.refusedRequests]).toEqual([name, true, undefined])
  }
  await benchOk(['replay', 'r'], { cwd })
})
