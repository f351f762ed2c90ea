import { expect, it } from 'vitest'
import { allowedTools, toolNameOf } from '../../../src/agent-tools/mcp/allowed-tools.ts'
import { listTools } from '../../../src/agent-tools/mcp/session.ts'
import { ToolDefinition } from '../../../src/schema/tool/tool-set.ts'

const schema = { type: 'object', properties: {} }
const tool = (name: string, change = {}) => ({
  name,
  description: 'Does it.',
  inputSchema: schema,
  ...change,
})
const problemsOf = (allow: string[], listed: Parameters<typeof allowedTools>[2]) =>
  allowedTools('id', allow, listed, 'tools.id').problems

it.each([
  ['search', 'docs__search'],
  ['a.b/c d', 'docs__a_b_c_d'],
  ['naïve😀', 'docs__na_ve_'],
  ['x'.repeat(58), `docs__${'x'.repeat(58)}`],
])('the tool %s is called %s by models', (original, name) => {
  expect(toolNameOf('docs', original)).toBe(name)
})

it('names that are too long stay apart, and all names are those that vendors take', () => {
  const names = ['x'.repeat(100), `${'x'.repeat(99)}y`, '', '\n'].map((name) => toolNameOf('a-b', name))
  expect(new Set(names).size).toBe(3 + 1)
  for (const name of names) expect(() => ToolDefinition.shape.name.parse(name)).not.toThrow()
})

it('the definitions of allowed tools come in the order of `allow`, each once', () => {
  const { definitions, problems } = allowedTools(
    'id',
    ['b', 'a', 'b'],
    [tool('a'), tool('b'), tool('c')],
    'w',
  )
  expect(problems).toEqual([])
  expect(definitions.map(({ name, original }) => [name, original])).toEqual([
    ['id__b', 'b'],
    ['id__a', 'a'],
  ])
})

it('all names that the server does not have are told, with what it has and what is near', () => {
  expect(problemsOf(['serch', 'other'], [tool('search'), tool('get')])).toMatchSnapshot()
})

it('two tools that models would call by one name are told', () => {
  expect(problemsOf(['a.b', 'a_b'], [tool('a.b'), tool('a_b')])).toMatchSnapshot()
})

it.each([
  ['no schema', { inputSchema: undefined }, /has no schema of its arguments/],
  ['a list as schema', { inputSchema: [] }, /has no schema of its arguments/],
  ['a schema without a type', { inputSchema: {} }, /whose type is not object/],
  ['a schema of two types', { inputSchema: { type: ['object', 'null'] } }, /whose type is not object/],
  [
    'a schema that is too long',
    { inputSchema: { type: 'object', title: 'x'.repeat(65_536) } },
    /has a schema of/,
  ],
  ['a description that is too long', { description: 'x'.repeat(16_385) }, /has a description of/],
])('a tool with %s is a problem if it is allowed', (_, change, problem) => {
  const listed = [tool('a', change), tool('b')]
  expect(problemsOf(['a'], listed).map(({ what }) => what)).toEqual([expect.stringMatching(problem)])
  expect(problemsOf(['b'], listed)).toEqual([])
})

it('all pages of a list are taken, whatever a cursor is', async () => {
  const pages = new Map<string | undefined, { tools: unknown[]; nextCursor?: string }>([
    [undefined, { tools: [tool('a')], nextCursor: '' }],
    ['', { tools: [tool('b')], nextCursor: '2' }],
    ['2', { tools: [tool('c')] }],
  ])
  const listed = await listTools(async (cursor) => pages.get(cursor) ?? { tools: [] })
  expect(listed.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
})

it.each([
  ['the same cursor', () => 'again', 2],
  ['an empty cursor', () => '', 2],
  ['a new cursor each time', (page: number) => `${page}`, 64],
])('a list with %s for ever ends, and has each tool once', async (_, cursorOf, most) => {
  let page = 0
  const listed = await listTools(async () => ({ tools: [tool('a')], nextCursor: cursorOf(page++) }))
  expect(page).toBe(most)
  expect(listed.map(({ name }) => name)).toEqual(['a'])
})

it('a list of too many tools is cut, and a tool without a name left out', async () => {
  const many = Array.from({ length: 3000 }, (_, at) => tool(`t${at}`))
  expect(await listTools(async () => ({ tools: [null, 5, {}, ...many], nextCursor: 'x' }))).toHaveLength(2000)
})
