import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { mergeOptions } from '../../../src/commands/config/merge-options.ts'
import type { RunOptions } from '../../../src/commands/config/run-options.ts'
import { selectSandbox } from '../../../src/commands/open/sandbox-option.ts'
import { resolveRun } from '../../../src/commands/session/new-run.ts'
import { formatProblem, UserError } from '../../../src/text/errors.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { type AgentsByRole, writeDocumentMethod } from '../../helpers/runs/document-method.ts'

// The servers of these agents need not answer.
beforeAll(() => void vi.stubGlobal('fetch', async () => new Response('')))
afterAll(() => void vi.unstubAllGlobals())

const server = { baseUrl: 'http://127.0.0.1:1/v1', keyVariable: 'DOCUMENT_KEY' }
const remote = { name: 'remote=openai-compatible:m', settings: server }
const local = { name: 'openai-compatible:local' }

beforeEach(() => {
  const restore = keepEnvironment()
  process.env.DOCUMENT_KEY = 'sk-0123456789abcdef'
  process.env.OPENAI_COMPATIBLE_BASE_URL = 'http://127.0.0.1:1/v1'
  return restore
})

/** Resolves a run without starting it; its documents are in a folder of their own. */
async function resolved(
  documents: readonly AgentsByRole[],
  { config, ...more }: Omit<RunOptions, 'config'> & { config?: string } = {},
) {
  const folder = tempFolder()
  const methods = documents.map((agents, i) => `M${i}=${writeDocumentMethod(folder, agents, `d${i}.json`)}`)
  const file = join(folder, 'bench.config.yaml')
  if (config !== undefined) writeFileSync(file, config.replaceAll('FOLDER', folder))
  const given = mergeOptions({
    ...{ tasks: 'ferry-morning', methods: methods.join(','), mode: 'live', sandbox: 'none', trustCode: true },
    ...more,
    ...(config !== undefined && { config: file }),
  })
  const { signal } = new AbortController()
  const tools = { redact: undefined, sandbox: selectSandbox([], given.options), signal, onWarning() {} }
  try {
    const { manifest, agents, asked } = await resolveRun(given, [], [], tools)
    return { manifest, agents, asked, problems: [] }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const problems = error.problems.map((problem) => formatProblem(problem).replaceAll(`${folder}/`, ''))
    return { problems }
  }
}

it('agents of a document are in run.json with their settings, and each call counts in its account', async () => {
  const limited = 'providers: { openai-compatible: { limits: { concurrent: 2 } } }\n'
  const prices = 'prices: { "remote=openai-compatible:m": { input: 1, output: 2 } }\n'
  const config = `${limited}${prices}`
  const { manifest, agents, problems } = await resolved([{ solver: remote, critic: local }], { config })
  expect(problems).toEqual([])
  expect(manifest?.methods[0]?.agents).toEqual({ solver: remote.name, critic: local.name })
  expect(manifest?.agentSettings).toEqual({ [remote.name]: server })
  expect(manifest?.providers).toMatchObject({ 'openai-compatible': { limits: { concurrent: 2 } } })
  expect(manifest?.prices?.file?.prices).toHaveProperty([remote.name])
  expect(manifest?.endpoints).toHaveProperty([remote.name], server.baseUrl)
  expect(JSON.stringify(manifest)).not.toContain(process.env.DOCUMENT_KEY)
  expect(agents?.get(remote.name)?.account).toMatchObject({ limits: { concurrent: 2 } })
  expect(agents?.get(remote.name)?.account?.name).toContain('DOCUMENT_KEY')
})

it('what wins is typed, then in the method’s entry of the config file, then in the document, then in the rest of the file', async () => {
  const config = [
    'run: { agents: "openai-compatible:run" }',
    'roles: { solver: "openai-compatible:roles" }',
    'methods: { entry: { strategy: "FOLDER/by-document.mjs:FOLDER/d0.json", roles: { critic: "openai-compatible:entry" } } }',
    '',
  ].join('\n')
  const document = { solver: remote, critic: local }
  const agentsOf = async (options: Omit<RunOptions, 'config'> = {}) => {
    const { manifest, problems } = await resolved([document], { config, ...options })
    expect(problems).toEqual([])
    return manifest?.methods[0]?.agents
  }
  const plain = (model: string) => `openai-compatible:${model}`
  expect(await agentsOf()).toEqual({ solver: remote.name, critic: local.name })
  expect(await agentsOf({ methods: 'entry' })).toEqual({ solver: remote.name, critic: plain('entry') })
  expect(await agentsOf({ agent: [`critic=${plain('typed')}`] })).toEqual({ solver: remote.name })
  expect(await agentsOf({ agents: plain('all') })).toBeUndefined()
  expect(await agentsOf({ mode: 'dev' })).toBeUndefined()
  const { manifest } = await resolved([{ critic: local }], { config })
  expect([manifest?.agents.solver, manifest?.methods[0]?.agents]).toEqual([
    plain('roles'),
    { critic: local.name },
  ])
})

it('a role that neither the document nor the command line gives an agent is reported', async () => {
  const { problems } = await resolved([{ critic: local }])
  expect(problems).toEqual([expect.stringMatching(/^\[--mode live\] role "solver" has no agent\./)])
})

it('two documents, or a document and the config file, must not give one label different settings', async () => {
  const other = { ...remote, settings: { ...server, baseUrl: 'http://127.0.0.1:2/v1' } }
  const fix = 'Give one of the two another label, or both the same settings.'
  const fact = `gives the agent ${remote.name} other settings than`
  expect((await resolved([{ solver: remote }, { solver: other }])).problems).toEqual([
    `[d1.json:1 solver] ${fact} d0.json:1 solver. ${fix}`,
  ])
  expect((await resolved([{ solver: remote }, { solver: remote }])).problems).toEqual([])
  const agent = `{ provider: openai-compatible, model: m, baseUrl: "${server.baseUrl}"`
  const configs = [`${agent} }`, `${agent}, keyVariable: DOCUMENT_KEY }`].map(
    (one) => `agents: { remote: ${one} }\n`,
  )
  expect((await resolved([{ solver: remote }], { config: configs[0] as string })).problems).toEqual([
    `[d0.json:1 solver] ${fact} bench.config.yaml:1 agents.remote. ${fix}`,
  ])
  expect((await resolved([{ solver: remote }], { config: configs[1] as string })).problems).toEqual([])
  // The agents of documents do not answer here, so nothing can be confused.
  for (const options of [{ mode: 'dev' }, { agents: local.name }])
    expect((await resolved([{ solver: remote }, { solver: other }], options)).problems).toEqual([])
})

it.each(['dev', 'live'])(
  'in %s mode a name that cannot be an agent is reported with its place in the document',
  async (mode) => {
    const bad = { solver: { name: 'opnai:x' }, critic: { name: 'fst' } }
    const config = 'agents: { fast: "openai-compatible:x" }\n'
    const expected = [
      expect.stringMatching(/^\[d0\.json:1 solver\] there is no provider "opnai"\. Did you mean "openai"\?/),
      expect.stringMatching(/^\[d0\.json:1 critic\] there is no agent "fst"\. Did you mean "fast"\?/),
    ]
    expect((await resolved([bad], { mode, config })).problems).toEqual(expected)
    // A strategy that does not ask about names itself: the same problems, each once.
    const unread = Object.fromEntries(
      Object.entries(bad).map(([role, one]) => [role, { ...one, unread: true }]),
    )
    expect((await resolved([unread], { mode, config })).problems).toEqual(expected)
  },
)

it('settings that the agent cannot have are reported without their values', async () => {
  const key = 'sk-abcdefghijklmnop'
  const problemsOf = async (agent: object) => (await resolved([{ solver: agent } as AgentsByRole])).problems
  expect(await problemsOf({ name: 'a=ollama:m', settings: { keyVariable: 'X' } })).toEqual([
    '[d0.json:1 solver] "ollama" does not take keyVariable. Its settings are baseUrl, maxOutput, structured, temperature, seed, reasoning, providerOptions.',
  ])
  expect(await problemsOf({ name: 'ollama:m', settings: { maxOutput: 3 } })).toEqual([
    '[d0.json:1 solver] the agent ollama:m has settings but no label of its own. Name it LABEL=ollama:m, or leave out the settings.',
  ])
  for (const settings of [{ keyVariable: key }, { program: { command: ['rm'], output: 'text' } }, { key }]) {
    const problems = await problemsOf({ name: 'a=openai:m', settings })
    expect(problems[0]).toMatch(/^\[--methods M0\] agentsOf: 0: settings/)
    expect(problems.join()).not.toContain(key)
  }
})

it('a missing key and a mix of simulated and real numbers are reported as for any agent', async () => {
  delete process.env.DOCUMENT_KEY
  expect((await resolved([{ solver: remote }])).problems).toEqual([
    expect.stringMatching(/DOCUMENT_KEY is not set/),
  ])
  process.env.DOCUMENT_KEY = 'sk-0123456789abcdef'
  expect((await resolved([{ solver: remote }, { solver: { name: 'simulated' } }])).problems).toEqual([
    expect.stringMatching(/one table must not mix them/),
  ])
})
