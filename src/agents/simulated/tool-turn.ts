import { type Random, seededRandom } from '../../base/random.ts'
import type { ToolCall } from '../../schema/tool/tool-call.ts'
import type { ToolDefinition } from '../../schema/tool/tool-set.ts'
import { isObject } from '../../text/is-object.ts'
import { estimateTokens } from '../../text/token-estimate.ts'
import type { AgentReply, RequestTools } from '../agent.ts'
import { sameText } from '../reference.ts'
import { seedOf } from './behaviour.ts'
import { fillShape, textPlace } from './shape-fill.ts'
import { finishReply } from './simulated-usage.ts'
import { extractFacts, requirements } from './summary-text.ts'
import { type Call, decideWork, hasWritten } from './work.ts'

/**
 * Returns the calls of a turn of a simulated agent; undefined where it answers. They follow from the request alone: its seed, and
 * the calls and results so far. What went wrong is tried a second time, and no more.
 */
export function toolCalls(call: Call, tools: RequestTools): ToolCall[] | undefined {
  const { profile, request } = call
  const { tools: using } = profile
  if (!using || tools.mustAnswer || request.repair) return undefined
  const turn = tools.turns.length + 1
  const random = seededRandom(`${seedOf(request, 1)}|tools ${turn}`)
  if (random() >= using.turns / (1 + using.turns)) return undefined
  const count = random() < using.parallel ? 2 + Math.floor(random() * 2) : 1
  const wishes = choose(wishesOf(call), count, random)
  const calls = wishes.map((wish, i) => {
    const { name, args } = random() < using.wrong ? wrongCall(wish, tools.definitions, random) : wish
    return { id: `call_${turn}_${i + 1}`, name, arguments: args }
  })
  return calls.length > 0 && fits(call, calls) ? calls : undefined
}

function choose(wishes: readonly Wish[], count: number, random: Random): Wish[] {
  const left = [...wishes]
  const chosen: Wish[] = []
  for (let i = 0; i < count && left.length > 0; i++) {
    const ready = left.filter(({ after }) => !left.some((one) => after.includes(one.name)))
    const wish = ready[Math.floor(random() ** 2 * ready.length)]
    if (!wish) break
    const together = left.filter((one) => one === wish || (wish.name === 'write' && one.name === 'write'))
    for (const one of together) left.splice(left.indexOf(one), 1)
    chosen.push(...together)
  }
  return chosen
}

const text = 'I look before I answer.\n'

/** Whether the calls fit into the longest output; else a real model would be cut off in them. */
const fits = ({ request }: Call, calls: readonly ToolCall[]) =>
  request.maxOutput === undefined || tokensOf(calls) <= request.maxOutput / 2

const tokensOf = (calls: readonly ToolCall[]) =>
  calls.reduce((sum, one) => sum + estimateTokens(`${one.name} ${one.arguments}`), estimateTokens(text))

/** Returns the reply of a turn with calls, with its share of reasoning. */
export function toolReply(
  { profile, request, chance, input }: Call,
  toolCalls: readonly ToolCall[],
): AgentReply {
  const visible = tokensOf(toolCalls)
  const reasoning = Math.round(
    (visible * profile.reasoningShare) / Math.max(0.01, 1 - profile.reasoningShare),
  )
  const size = { total: visible + reasoning, visible }
  const reply = finishReply(profile, request, input, size, text, chance.random)
  return reply.error ? reply : { ...reply, toolCalls }
}

function wrongCall(
  { name, args }: Wish,
  definitions: readonly ToolDefinition[],
  random: Random,
): Pick<Wish, 'name' | 'args'> {
  const withPath = definitions.find((one) => one.name === 'read' || one.name === 'write')
  const outside = random() < 0.5 ? '../secret.txt' : '/etc/hosts'
  const kinds = [
    { name: `${name}_all`, args },
    { name, args: JSON.stringify({ ...JSON.parse(args), unknown_argument: true }) },
    // Output that was cut off.
    { name, args: args.slice(0, -1) },
    ...(withPath
      ? [
          {
            name: withPath.name,
            args: JSON.stringify({ path: outside, ...(withPath.name === 'write' && { content: '' }) }),
          },
        ]
      : []),
  ]
  return kinds[Math.floor(random() * kinds.length)] as Wish
}

interface Wish {
  name: string
  /** JSON text. */
  args: string
  /** Names of tools that it uses before this one, if it is going to use them. */
  after: readonly string[]
}

/** Most files that an agent reads in one ask, and most notes that it stores. */
const mostFiles = 3
const mostNotes = 2

function wishesOf(call: Call): Wish[] {
  const { definitions, turns } = call.request.tools ?? { definitions: [], turns: [] }
  const made = turns.flatMap(({ calls, results }) =>
    calls.map(({ name, arguments: args }, i) => ({ name, args, isError: results[i]?.isError ?? true })),
  )
  const isOpen = ({ name, args }: Wish) => {
    const equal = made.filter((one) => one.name === name && one.args === args)
    return equal.length < 2 && !equal.some(({ isError }) => !isError)
  }
  const ranked = definitions.toSorted((a, b) => placeOf(a.name) - placeOf(b.name))
  return ranked.flatMap((definition) => wishesFor(definition, call)).filter(isOpen)
}

const order = ['list', 'read', 'memory_recall', 'mcp', 'write', 'check', 'memory_store']

const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.indexOf('mcp'))

function wishesFor(definition: ToolDefinition, call: Call): Wish[] {
  const { name } = definition
  const { request, submissions } = call
  const { title } = submissions.task.spec
  const wish = (args: object, ...after: string[]): Wish => ({ name, args: JSON.stringify(args), after })
  switch (name) {
    case 'list':
      return [wish({})]
    case 'read':
      return Object.keys(request.workspace.files())
        .sort()
        .slice(0, mostFiles)
        .map((path) => wish({ path }))
    case 'write':
      return writes(call).map((args) => wish(args))
    case 'check':
      return [wish({}, 'write')]
    case 'memory_recall':
      return [wish({ query: [title, ...extractFacts(request.prompt).slice(0, mostFacts)].join(' ') })]
    case 'memory_store':
      // It does not recall what it has just stored.
      return requirements(request.prompt)
        .slice(0, mostNotes)
        .map((text) =>
          wish({ title: `${text.slice(0, text.indexOf('.'))} of ${title}`, text }, 'memory_recall'),
        )
    default:
      return [wish(argumentsFor(definition, request.prompt))]
  }
}

const mostFacts = 4

function writes(call: Call): object[] {
  const { request } = call
  if (request.work !== 'produce' || hasWritten(request)) return []
  const { submission } = decideWork(call)
  if (!submission || !('files' in submission)) return []
  const files = request.workspace.files()
  return Object.entries(submission.files)
    .filter(([path, content]) => !sameText(content, files[path] ?? null))
    .map(([path, content]) => (content === null ? { path, delete: true } : { path, content }))
}

function argumentsFor({ inputSchema }: ToolDefinition, prompt: string): object {
  const facts = extractFacts(prompt)
  try {
    const filled = fillShape(inputSchema, {
      ...{ signal: 0.5, approved: true, items: 1 },
      text: (i) => facts[i % Math.max(1, facts.length)] ?? 'task',
    })
    const args = JSON.parse(JSON.stringify(filled).replaceAll(textPlace, ''))
    return isObject(args) ? args : {}
  } catch {
    // A server may describe its arguments by a schema that nothing matches.
    return {}
  }
}
