import type { ToolDefinition } from '../../schema/tool/tool-set.ts'
import { sameText } from '../reference.ts'
import { requirements } from './requirements.ts'
import { fillShape, textPlace } from './shape-fill.ts'
import { extractFacts } from './summary-text.ts'
import { type Call, decideWork, hasWritten } from './work.ts'

/** A call that an agent may make next. */
export interface Wish {
  name: string
  /** JSON text. */
  args: string
  /** Names of tools that it uses before this one, if it is going to use them. */
  after: readonly string[]
}

/** Most files that an agent reads in one ask, and most notes that it stores. */
const mostFiles = 3
const mostNotes = 2

/** Returns the calls that an agent may still make, in the order in which people would: it looks, works, checks, and takes notes. */
export function wishesOf(call: Call): Wish[] {
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

/** Returns the files that a producer writes: those of its submission that differ from the files as they are. */
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

/** Returns arguments for the tool of a server: its schema, filled with facts of the prompt. */
function argumentsFor({ inputSchema }: ToolDefinition, prompt: string): object {
  const facts = extractFacts(prompt)
  try {
    const filled = fillShape(inputSchema, {
      ...{ signal: 0.5, approved: true, items: 1 },
      text: (i) => facts[i % Math.max(1, facts.length)] ?? 'task',
    })
    const args = JSON.parse(JSON.stringify(filled).replaceAll(textPlace, ''))
    return typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {}
  } catch {
    // A server may describe its arguments by a schema that nothing matches.
    return {}
  }
}
