import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { methodsModel } from '../../live/methods-model.ts'
import type { Answer, CalledTool, ModelRequest } from '../../model-server/script.ts'
import { root } from '../runs/cli.ts'

const path = 'src/parse-duration.mjs'
const solution = readFileSync(join(root, 'tasks/code/duration-text/solution', path), 'utf8')

/** The calls of an orchestrator, in order: the tool and its arguments. */
export const calls = [
  ['ask_role', { role: 'contract-writer', brief: 'Write the contract.' }],
  ['read', { path }],
  ['ask_role', { role: 'code-generator', brief: 'Do the work.' }],
  ['check', {}],
  ['ask_role', { role: 'evaluator', brief: 'Judge the work.' }],
  ['finish', { result: 'All is done.' }],
] as const

/** Whether the model that is asked directs others: it is offered the tools for that. */
export const isOrchestrator = ({ tools }: Pick<ModelRequest, 'tools'>): boolean =>
  tools.some((name) => name.endsWith('ask_role'))

/**
 * A model that directs others by a fixed list of calls, and plays them. A request tells it how many are done: by results of tools, and
 * after an interruption by the list in its prompt.
 */
export function orchestratorModel() {
  const { answer } = methodsModel(() => ({ text: `FILE: ${path}\n\`\`\`js\n${solution}\n\`\`\`` }))
  return (request: ModelRequest): Answer => {
    if (!isOrchestrator(request)) return answer(request)
    const told = request.messages.flatMap(({ text }) => text.match(/^### Call \d+$/gm) ?? []).length
    const results = request.messages.filter(({ role }) => role === 'tool').length
    const next = calls[told + results]
    if (!next) return { text: 'Done.' }
    const [name, input] = next
    return { text: `I call ${name}.`, toolCalls: [calledIn(request, name, input)] }
  }
}

/** The call in the form of its client: Codex offers the tools of a server in a namespace. */
function calledIn({ tools, body }: ModelRequest, name: string, input: CalledTool['input']): CalledTool {
  const offered = tools.find((one) => one.endsWith(name)) ?? name
  const isInNamespace = JSON.stringify(body).includes('"type":"namespace"')
  return isInNamespace
    ? { namespace: offered.slice(0, -name.length - 2), name, input }
    : { name: offered, input }
}
