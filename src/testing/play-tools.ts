import type { RequestTools, ToolAnswer, ToolTurn } from '../agents/agent.ts'
import { defaultToolTurns } from '../schema/tool/tool-set.ts'
import type { AgentDouble, DoubleAnswer, ReceivedAsk } from './doubles.ts'

/** Tools by name: what each answers, or a function of the arguments that returns it. One that throws gives the agent its message. */
export type SceneTools = Readonly<
  Record<string, string | ((args: Readonly<Record<string, unknown>>) => string)>
>

/** A call of a tool in a play. */
export interface PlayedCall {
  name: string
  /** JSON text. */
  arguments: string
  /** What the agent got. */
  result: string
  isError: boolean
}

/** Asks a double that may call tools, until it answers. Returns all of its turns, of which the last is its answer, and its calls. */
export function answerWithTools(
  double: AgentDouble,
  request: ReceivedAsk,
  tools: SceneTools,
): { answers: DoubleAnswer[]; calls: PlayedCall[] } {
  const answers: DoubleAnswer[] = []
  const calls: PlayedCall[] = []
  const turns: ToolTurn[] = []
  for (let turn = 1; turn <= defaultToolTurns; turn++) {
    const given = requestTools(tools, turns, turn === defaultToolTurns)
    const answer = double.answer({ ...request, tools: given })
    answers.push(answer)
    if (!answer.toolCalls) break
    const made = answer.toolCalls.map(({ name, arguments: args = {} }) => makeCall(name, args, tools))
    calls.push(...made)
    turns.push({
      text: answer.text,
      calls: made.map(({ name, arguments: args }, i) => ({ id: `call-${i + 1}`, name, arguments: args })),
      results: made.map(toAnswer),
    })
  }
  return { answers, calls }
}

const requestTools = (tools: SceneTools, turns: readonly ToolTurn[], mustAnswer: boolean): RequestTools => ({
  definitions: Object.keys(tools).map((name) => ({
    name,
    description: name,
    inputSchema: { type: 'object' },
  })),
  turns: [...turns],
  mustAnswer,
})

const toAnswer = ({ name, result, isError }: PlayedCall, i: number): ToolAnswer => ({
  ...{ id: `call-${i + 1}`, name, text: result, isError },
})

function makeCall(
  name: string,
  given: Readonly<Record<string, unknown>> | string,
  tools: SceneTools,
): PlayedCall {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  const wrong = (result: string): PlayedCall => ({ name, arguments: text, result, isError: true })
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (tool === undefined) return wrong(`There is no tool ${name}. Tools: ${Object.keys(tools).join(', ')}.`)
  try {
    const result = typeof tool === 'string' ? tool : tool(JSON.parse(text) as Record<string, unknown>)
    return { name, arguments: text, result, isError: false }
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
}
