import { expect, it } from 'vitest'
import { secretSettings, toolSecretProblems } from '../../../src/commands/session/equip.ts'
import type { ResolvedMcpTool, ResolvedTool } from '../../../src/schema/tool/tool-set.ts'
import { formatProblem } from '../../../src/text/errors.ts'
import { createRedactor, type Redactor } from '../../../src/text/redact.ts'
import { mcpTool } from '../../helpers/tools/mcp-tools.ts'

const secret = 'hunter2-hunter2-hunter2'
const redact = createRedactor([{ name: 'MY_API_KEY', value: secret }]) as Redactor
const problemsOf = (tool: ResolvedTool) =>
  toolSecretProblems({ id: 'notes', tool, where: 'c.yaml:2 tools.notes.config' }, redact).map(formatProblem)

const definition = {
  name: 'notes__add',
  original: 'add',
  description: 'Adds.',
  inputSchema: { type: 'object' },
}
const server = (change: Partial<ResolvedMcpTool> = {}): ResolvedMcpTool => ({
  ...{ kind: 'mcp', command: ['node', 'x'], files: [], env: {}, workspace: false, stateless: true },
  ...{ timeoutMs: 1, maxBytes: 1, server: { name: 's', version: '1' }, definitions: [definition], ...change },
})
const saying = (change: Partial<typeof definition>) => server({ definitions: [{ ...definition, ...change }] })

it.each<[string, ResolvedTool, string]>([
  [
    'description',
    saying({ description: `Adds for ${secret}.` }),
    '[c.yaml:2 tools.notes.config] the server of "notes" gives its tool "add" a description with the secret MY_API_KEY. Correct the server, take "add" out of `allow`, or unset MY_API_KEY for this run.',
  ],
  [
    'schema of arguments',
    saying({ inputSchema: { type: 'object', description: secret } as never }),
    'gives its tool "add" a schema of arguments with the secret MY_API_KEY',
  ],
  [
    'name',
    saying({ original: secret, name: `notes__${secret}` }),
    'gives a tool a name with the secret MY_API_KEY. Correct the server, take "[redacted MY_API_KEY]" out of',
  ],
  [
    'name of the server',
    server({ server: { name: secret, version: '1' } }),
    'gives itself a name or a version',
  ],
  [
    'command',
    server({ command: ['node', secret] }),
    'the settings of the tool "notes" hold the secret MY_API_KEY',
  ],
  [
    'file',
    { kind: 'memory', file: { path: `${secret}.md`, digest: 'x' } },
    'settings of the tool "notes" hold the secret MY_API_KEY',
  ],
])('a tool with a secret in its %s is named, with what to do', (_, tool, words) => {
  const problems = problemsOf(tool)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(words)
  expect(problems[0]).not.toContain(secret)
})

it.each([
  ['as written', secret],
  ['redacted', '[redacted MY_API_KEY]'],
])('settings with a secret are named before a server starts: %s', (_, text) => {
  const tool = mcpTool({ command: ['node', text], allow: ['add'] })
  expect(secretSettings({ id: 'notes', tool, where: 'c.yaml:2' }, redact)).toMatchSnapshot()
  const right = mcpTool({ command: ['node', 'x'], allow: ['add'] })
  expect(secretSettings({ id: 'notes', tool: right, where: 'c.yaml:2' }, redact)).toBeUndefined()
})

it('a tool without a secret has no such problem', () => {
  expect(problemsOf(server())).toEqual([])
})
