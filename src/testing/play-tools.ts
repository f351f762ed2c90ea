import { repeatedCall, surplusCall } from '../agent-tools/call-tool.ts'
import type { RequestTools, ToolAnswer, ToolTurn } from '../agents/agent.ts'
import type { ScriptedToolCall } from '../agents/scripted.ts'
import { countRepeats, equalArguments, mostRepeatedTurns } from '../loop/ask/tools.ts'
import { describeType } from '../schema/method/ask-options.ts'
import { mostCallsOfTurn } from '../schema/tool/tool-call.ts'
import { defaultToolTurns } from '../schema/tool/tool-set.ts'
import { UserError } from '../text/errors.ts'
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

/**
 * Asks a double that may call tools, until it answers or must, with the rules of a run. Returns all of its turns, of which the last is
 * its answer, and its calls. If the last turn has calls, the double has not answered.
 */
export function answerWithTools(
  double: AgentDouble,
  request: ReceivedAsk,
  tools: SceneTools,
): { answers: DoubleAnswer[]; calls: PlayedCall[] } {
  const answers: DoubleAnswer[] = []
  const calls: PlayedCall[] = []
  const turns: ToolTurn[] = []
  const makeCall = openCalls(tools)
  let repeated = 0
  for (;;) {
    const mustAnswer = turns.length + 1 >= defaultToolTurns || repeated >= mostRepeatedTurns
    const answer = double.answer({ ...request, tools: requestTools(tools, turns, mustAnswer) })
    answers.push(answer)
    if (!answer.toolCalls || mustAnswer) return { answers, calls }
    const made = answer.toolCalls.map(makeCall)
    calls.push(...made.map(({ call }) => call))
    repeated = made.every(({ isRepeated }) => isRepeated) ? repeated + 1 : 0
    turns.push({
      text: answer.text,
      calls: made.map(({ call: { name, arguments: args } }, i) => ({
        ...{ id: `call-${i + 1}`, name, arguments: args },
      })),
      results: made.map(({ call }, i) => toAnswer(call, i)),
    })
  }
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

/** Opens the calls of an ask. The function of a tool may answer the same call in another way, like a server with a state. */
function openCalls(tools: SceneTools) {
  const repeats = countRepeats()
  return ({ name, arguments: given = {} }: ScriptedToolCall, place: number) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    const hasState = Object.hasOwn(tools, name) && typeof tools[name] === 'function'
    const counted = { same: `${name} ${equalArguments(text)}`, server: hasState ? name : undefined }
    const refused = (result: string): PlayedCall => ({ name, arguments: text, result, isError: true })
    if (place >= mostCallsOfTurn) return { call: refused(surplusCall(name).text), isRepeated: false }
    if (repeats.isRepeated(counted))
      return { call: refused(repeatedCall(name, hasState).text), isRepeated: true }
    const call = makeCall(name, text, tools)
    repeats.add(counted, `${call.isError} ${call.result}`)
    return { call, isRepeated: false }
  }
}

function makeCall(name: string, text: string, tools: SceneTools): PlayedCall {
  const wrong = (result: string): PlayedCall => ({ name, arguments: text, result, isError: true })
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (tool === undefined) return wrong(`There is no tool ${name}. Tools: ${Object.keys(tools).join(', ')}.`)
  let result: unknown
  try {
    result = typeof tool === 'string' ? tool : tool(JSON.parse(text) as Record<string, unknown>)
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error))
  }
  if (typeof result !== 'string')
    throw new UserError({
      where: `play() scene.tools.${name}`,
      what: `must return a text, got ${describeType(result)}`,
      fix: 'Return for example String(value). A tool of a scene cannot be async.',
    })
  return { name, arguments: text, result, isError: false }
}
