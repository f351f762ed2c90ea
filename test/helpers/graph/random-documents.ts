import fc from 'fast-check'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Fields = { [key: string]: Json }

const names = ['a', 'b', 'c', '1', '10', '2', 'constructor', 'x_y', 'Z-9']
const task = (...tasks: string[]) => fc.constantFrom(...tasks)

const more = fc.record(
  {
    on_failure: fc.constantFrom('fail', 'skip', 'continue'),
    timeout_ms: fc.integer({ min: 1, max: 1e9 }),
    retries: fc.integer({ min: 0, max: 10 }),
    conflict: fc.constantFrom('fail', 'last', 'merge'),
  },
  { requiredKeys: [] },
)
const step = (...tasks: string[]): fc.Arbitrary<Json> =>
  fc.oneof(
    task(...tasks),
    fc.tuple(task(...tasks), more).map(([task, more]) => ({ task, ...more })),
  )
const work = step('make', 'other')
const choice = step('plan')

const byName = <Value extends Json>(value: fc.Arbitrary<Value>, min: number) =>
  fc
    .tuple(
      fc.uniqueArray(fc.constantFrom(...names), { minLength: min, maxLength: 3 }),
      fc.array(value, { minLength: 3, maxLength: 3 }),
    )
    .map(([keys, values]) => Object.fromEntries(keys.map((key, i) => [key, values[i] as Value])) as Fields)

/** Gives the nodes of a list ids of their own. */
const withIds = (nodes: Fields[]): Fields[] =>
  nodes.map((node, i) => ({ ...node, id: `n${(i * 7) % 13}_${i}` }))

/** Patterns of all kinds that hold each other, without ids and what they need. */
const node: fc.Memo<Fields> = fc.memo((depth) => {
  const plain = fc
    .tuple(task('make', 'other', 'plan'), more)
    .map(([task, more]): Fields => ({ task, ...more }))
  if (depth <= 1) return plain
  const chain = fc.array(node(), { minLength: 1, maxLength: 3 }).map(withIds)
  const nested = node().map((inner): Json => (inner.pattern ? { ...inner, id: 'q' } : inner))
  const slot = fc.oneof(work, nested)
  const known = slot.map((inner): Json => withFinish(inner))
  const finish = fc.option(known, { nil: undefined })
  const kind = (pattern: string, parts: Readonly<Record<string, fc.Arbitrary<Json | undefined>>>) =>
    fc.record(parts).map((parts): Fields => JSON.parse(JSON.stringify({ pattern, ...parts })) as Fields)
  return fc.oneof(
    plain,
    kind('linear', { steps: chain }),
    kind('fork_join', { branches: byName(chain, 1), join: slot }),
    kind('debate', { debaters: byName(work, 2), rounds: fc.integer({ min: 1, max: 3 }), judge: choice }),
    kind('planner_executor', {
      planner: choice,
      executor: work,
      max_steps: fc.integer({ min: 1, max: 5 }),
      finish,
    }),
    kind('referee', { candidates: byName(known, 2), referee: choice }),
    kind('hierarchical', {
      boss: choice,
      workers: byName(work, 1),
      rounds: fc.integer({ min: 1, max: 3 }),
      finish,
    }),
  )
})

/** Makes the last step of a node known before it runs, as candidates need it. */
function withFinish(node: Json): Json {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return node
  if (node.pattern === 'planner_executor' || node.pattern === 'hierarchical')
    return { ...node, finish: withFinish(node.finish ?? 'make') }
  if (node.pattern === 'fork_join') return { ...node, join: withFinish(node.join ?? null) }
  if (node.pattern !== 'linear') return node
  const steps = node.steps as Json[]
  return { ...node, steps: [...steps.slice(0, -1), withFinish(steps.at(-1) ?? null)] }
}

/** A sequential workflow, or one whose nodes need some of those before them, in any order. */
const workflowOf = (nodes: fc.Arbitrary<Fields[]>) =>
  fc
    .record({
      nodes,
      isConcurrent: fc.boolean(),
      needs: fc.array(fc.uniqueArray(fc.nat(11), { maxLength: 4 }), { minLength: 12, maxLength: 12 }),
      order: fc.array(fc.integer(), { minLength: 12, maxLength: 12 }),
      conflict: fc.constantFrom('fail', 'last', 'merge'),
    })
    .map(({ nodes, isConcurrent, needs, order, conflict }): Fields => {
      const steps = [...withIds(nodes), { id: 'end', task: 'make' } as Fields]
      if (!isConcurrent) return { steps, conflict }
      const wired = steps.map((node, i) => ({
        ...node,
        needs: (needs[i % 12] ?? []).filter((j) => j < i).map((j) => steps[j]?.id ?? ''),
      }))
      const shuffled = wired.map((node, i) => [order[i % 12] ?? 0, node] as const).sort(([a], [b]) => a - b)
      return { kind: 'concurrent', conflict, steps: shuffled.map(([, node]) => node) }
    })

const documentsOf = (nodes: fc.Arbitrary<Fields[]>): fc.Arbitrary<Fields> =>
  fc
    .record({
      workflow: workflowOf(nodes),
      isInline: fc.boolean(),
      providers: fc.subarray(['local', 'far'], { minLength: 0 }),
      input: fc.constantFrom<Json>('task', { text: 'Read this.' }),
      seed: fc.nat(),
    })
    .map(({ workflow, isInline, providers, input, seed }) => {
      const kinds: Fields = {
        local: { kind: 'local_ollama', config: { model: 'm' } },
        far: { kind: 'http_remote', config: { base_url: 'https://example.org/v1', model: 'm' } },
      }
      const provider: Fields = providers[0] ? { provider: providers[0] } : {}
      const document: Fields = {
        version: '0.5',
        providers: Object.fromEntries(providers.map((id) => [id, kinds[id] ?? null])),
        tools: {
          files: { kind: 'workspace', config: { allow: ['read', 'write'] } },
          memory: { kind: 'memory', config: {} },
          terms: {
            kind: 'mcp',
            config: { command: ['terms'], allow: ['find'], env: { PLACE: 'here' }, stateless: true },
          },
        },
        agents: {
          maker: { ...provider, tools: ['files', 'memory', 'terms'] },
          other: { ...provider, instructions: 'Be brief.' },
          chief: { ...provider, work: 'decide', tools: ['memory'] },
        },
        tasks: {
          make: { agent_ref: 'maker', prompt: 'Make it.', tools: ['files', 'memory'] },
          other: { agent_ref: 'other', prompt: 'Make it otherwise.' },
          plan: { agent_ref: 'chief', prompt: 'Plan it.' },
        },
        ...(isInline ? {} : { workflows: { main: workflow } }),
        run: { ...(isInline ? { workflow } : { workflow_ref: 'main' }), input, seed },
      }
      return document
    })

/** Documents without mistakes, with patterns of every kind in patterns. */
export const randomDocument = documentsOf(fc.array(node(3), { minLength: 1, maxLength: 12 }))

/** Such documents of this many nodes. */
export const randomDocumentOf = (nodes: number) =>
  documentsOf(fc.array(node(3), { minLength: nodes, maxLength: nodes }))

/** Returns the same data with its keys in another order. */
export function shuffleKeys(value: unknown, order: (key: string) => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffleKeys(item, order))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, shuffleKeys(inner, order)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => order(a) - order(b)))
}
