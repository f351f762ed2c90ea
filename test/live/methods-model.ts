import { fillShape, textPlace } from '../../src/agents/simulated/shape-fill.ts'
import type { LogEntry } from '../model-server/log.ts'
import type { Answer, ModelRequest } from '../model-server/script.ts'

/** The answers that one trial has got so far. */
interface Seen {
  works: number
  choices: number
  /** Number of verdicts by their shape. */
  verdicts: Map<string, number>
}

/** The trial that a request belongs to, by the mark with which its first prompt begins. */
export const markOf = (request: Pick<ModelRequest, 'system' | 'messages'>): string =>
  /\[([0-9a-f]{24})\]/.exec(request.messages.map(({ text }) => text).join('\n') + request.system)?.[1] ?? ''

/** A model that plays the methods. */
export interface MethodsModel {
  answer(request: ModelRequest): Answer
  /** The first request of each ask; later requests report results of tools. */
  byAsk(log: readonly LogEntry[]): LogEntry[][]
}

/**
 * Plays any role of any method by what is asked, not by who asks: work where the preamble stands first, data in the shape
 * that is wanted, else a text. The first work is right and every judge of it says so; with `revise` each first verdict is bad.
 * `solve` gives the work for a prompt of a producing role.
 */
export function methodsModel(
  solve: (prompt: string, request: ModelRequest) => Answer,
  { revise = false } = {},
): MethodsModel {
  const trials = new Map<string, Seen>()
  const firstOf = new Map<number, number>()
  const answer = (request: ModelRequest): Answer => {
    const mark = markOf(request)
    const seen = trials.get(mark) ?? { works: 0, choices: 0, verdicts: new Map() }
    trials.set(mark, seen)
    const said = isAfterTool(request) ? { text: 'It is done.' } : reply(request, seen)
    firstOf.set(request.number, isAfterTool(request) ? askBefore(request) : request.number)
    const thinking = `So be it (${toolMark(request.number)}).`
    return { ...said, thinking, usage: { cached: 3 } }
  }
  const askBefore = ({ number, body }: ModelRequest) => {
    const mark = [...JSON.stringify(body).matchAll(/told-by-request-(\d+)/g)].at(-1)?.[1]
    return firstOf.get(Number(mark)) ?? number
  }
  const reply = (request: ModelRequest, seen: Seen): Answer => {
    const prompt = promptOf(request)
    const schema = wantedShape(prompt)
    if (schema !== undefined) return { text: inShape(schema, seen, revise) }
    if (!isWork(prompt)) return { text: 'R1 The work is right.\nTitle: the work' }
    seen.works++
    return solve(prompt, request)
  }
  return {
    answer,
    byAsk: (log) => {
      const asks = new Map<number, LogEntry[]>()
      for (const entry of log) {
        const first = firstOf.get(entry.number) ?? entry.number
        asks.set(first, [...(asks.get(first) ?? []), entry])
      }
      return [...asks.values()]
    },
  }
}

/** Stands in a tool's call, and so in every request that tells of it. */
export const toolMark = (number: number): string => `told-by-request-${number}`

const promptOf = ({ messages }: ModelRequest) =>
  messages
    .filter(({ role }) => role === 'user')
    .map(({ text }) => text)
    .join('\n')

/** Producing roles get the task first; the others have it, if at all, as a context with a title. */
const isWork = (prompt: string) => /(?<!^## [^\n]*\n)^# Task$/m.test(prompt)

/** Whether it tells what came of tools since the model last spoke. */
function isAfterTool({ messages }: ModelRequest): boolean {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages.slice(last + 1).some(({ role }) => role === 'tool')
}

/** The JSON Schema at the end of a prompt, as it stands there. */
const wantedShape = (prompt: string) =>
  [...prompt.matchAll(/It must match this JSON Schema:\n(\{.*\})/g)].at(-1)?.[1]

/** A schema without the mark that is new for each verdict. */
const withoutMark = (schema: string) => schema.replace(/"mark":\{[^}]*\},?/, '')

function inShape(schema: string, seen: Seen, revise: boolean): string {
  const shape = withoutMark(schema)
  const before = seen.verdicts.get(shape) ?? 0
  seen.verdicts.set(shape, before + 1)
  // Without any work there is nothing to approve.
  const approved = seen.works > 0 && (!revise || before > 0)
  const value = fillShape(JSON.parse(schema), {
    approved,
    signal: approved ? 1 : 0,
    items: approved ? 0 : 1,
    text: () => 'As usual.',
    choose: (values) => nextOf(values.map(String), seen, revise),
  })
  return JSON.stringify(value).replaceAll(textPlace, '')
}

/** Who acts next, where that is asked: whoever works, and then it is done; with `revise` everybody in turn, twice. */
function nextOf(values: readonly string[], seen: Seen, revise: boolean): string | undefined {
  const end = values.find((value) => /^(finish|done|stop|end)$/.test(value))
  if (end === undefined) return undefined
  const others = values.filter((value) => value !== end)
  const worker = others.find((value) => /generat|solv|cod|implement|work/.test(value)) ?? others[0]
  const round = seen.choices++
  if (revise) return round < 2 * others.length ? others[round % others.length] : end
  return seen.works === 0 ? worker : end
}
