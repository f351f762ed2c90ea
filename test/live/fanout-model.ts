import { fillShape, textPlace } from '../../src/agents/simulated/shape-fill.ts'
import type { Answer, ModelRequest } from '../model-server/script.ts'
import { type Client, writing } from './clients.ts'
import { toolMark } from './methods-model.ts'

/** What is said to whoever gets the prompt of a persona, by the persona's title; `Decision` is a prompt of a decision. */
type Lines = Readonly<Record<string, (request: ModelRequest, count: number) => Answer | undefined>>

/** Everything that a request tells, as text. */
export const textOf = ({ system, messages }: ModelRequest): string =>
  [system, ...messages.map(({ text }) => text)].join('\n')

/** The title of the last persona in a request. What is before it is its conversation. */
const titleOf = (request: ModelRequest) =>
  [...textOf(request).matchAll(/^(?:# ([A-Z][a-z]+(?: [a-z]+)?)\n\n## Task|You (direct) this workflow)/gm)]
    .map(([, title]) => title ?? 'Decision')
    .filter((title) => title !== 'Orchestrator')
    .at(-1) ?? ''

/** A model that plays a workflow: lines by persona, good verdicts where data is wanted, else a text. */
export function fanoutModel(lines: Lines): (request: ModelRequest) => Answer {
  const counts = new Map<string, number>()
  return (request) => {
    const last = request.messages.findLastIndex(({ role }) => role === 'assistant')
    if (request.messages.slice(last + 1).some(({ role }) => role === 'tool')) return { text: 'It is done.' }
    const title = titleOf(request)
    const count = (counts.get(title) ?? 0) + 1
    counts.set(title, count)
    return lines[title]?.(request, count) ?? { text: inShape(textOf(request)) ?? `So says ${request.model}.` }
  }
}

/** Good data in the shape that a prompt wants last. */
function inShape(prompt: string): string | undefined {
  const schema = [...prompt.matchAll(/It must match this JSON Schema:\n(\{.*\})/g)].at(-1)?.[1]
  if (schema === undefined) return undefined
  const good = { approved: true, signal: 1, items: 0, text: () => 'Well done.' }
  return JSON.stringify(fillShape(JSON.parse(schema), good)).replaceAll(textPlace, '')
}

/** A reply that hands in a file: a program writes it with a tool, any other agent in its text. */
export function filing(
  request: ModelRequest,
  { path, text }: { path: string; text: string },
  shell: Client['shell'] | false = false,
): Answer {
  if (!shell) return { text: `FILE: ${path}\n\`\`\`js\n${text}\`\`\`\n` }
  const command = `${writing(path, text)}; echo ${toolMark(request.number)}`
  return { text: 'I write it.', toolCalls: [shell(command)] }
}
