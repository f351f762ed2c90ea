import type { z } from 'zod'
import type { AskOptions, KindOfWork } from '../ask.ts'
import { composePrompt, formatOfAsk, readAskedData, repairPrompt } from '../loop/ask/prompt.ts'
import { lateCallsError } from '../loop/ask/tools.ts'
import { AgentError } from '../text/errors.ts'
import type { AgentDouble, DoubleAnswer, ReceivedAsk } from './doubles.ts'
import { takeReply } from './line-reply.ts'
import { answerWithTools, type PlayedCall, type SceneTools } from './play-tools.ts'
import { toolsOfPlayedAsk } from './scene-tools.ts'

/** Who is expected to be asked (in a branch: `branch: role`), what it replies, and which files a producing role edits. */
export type Line<Role extends string> = [
  who: Role | `${string}: ${Role}`,
  reply: unknown,
  edits?: Record<string, string | null>,
]

/** Lines in the order of each branch's asks; or one double for all roles, or a double for each role. */
export type Script<Role extends string> =
  | readonly Line<Role>[]
  | AgentDouble
  | Readonly<Partial<Record<Role, AgentDouble>>>

/** One ask, for the script to answer. */
interface ScriptAsk {
  /** Which ask of the trial it is, from 1. */
  number: number
  branch: string
  role: string
  work: KindOfWork
  prompt: string
  options: AskOptions
  shape: z.ZodType | undefined
}

/** An answered ask. `result` throws if the agent failed. */
export interface ScriptAnswer {
  ms: number
  spent: { input: number | null; output: number | null; costUsd: number | null }
  edits: Readonly<Record<string, string | null>>
  /** The tools that the agent called. */
  calls?: readonly PlayedCall[]
  result(): unknown
}

/** A script that is being played. */
export interface PlayedScript {
  answer(ask: ScriptAsk): ScriptAnswer
  /** The lines that nobody has played yet, by who they are for. */
  left(): string[]
}

/** What a script knows of its trial. */
interface ScriptedTrial {
  instruction: string
  roles: Readonly<Record<string, KindOfWork>>
  /** Tools of every ask that produces work, or that names some. */
  tools?: SceneTools | undefined
}

/** Begins a script. */
export function openScript<Role extends string>(script: Script<Role>, trial: ScriptedTrial): PlayedScript {
  if (Array.isArray(script)) return openLines(script as readonly Line<Role>[])
  const doubleOf = (role: string) =>
    typeof script === 'function' ? script : (script as Readonly<Record<string, AgentDouble>>)[role]
  return openDoubles(doubleOf, trial)
}

const nothingSpent = { input: 0, output: 0, costUsd: 0 }

function openLines<Role extends string>(script: readonly Line<Role>[]): PlayedScript {
  const lines = [...script]
  return {
    left: () => lines.map(([who]) => who),
    answer({ number, branch, role, shape }) {
      const at = lines.findIndex(([who]) => splitWho(who).branch === branch)
      const place = `ask ${number}${branch === '' ? '' : `, in branch "${branch}"`}`
      const line = lines[at]
      if (!line)
        throw new Error(`${place}: the strategy asks "${role}", but the script has no more lines here`)
      const [who, reply, edits = {}] = line
      if (splitWho(who).role !== role)
        throw new Error(
          `${place}: the strategy asks "${role}", but the script's next line is for "${splitWho(who).role}"`,
        )
      lines.splice(at, 1)
      const result = () => {
        if (reply instanceof Error) throw reply
        return takeReply(reply, shape, `${place}: the script's reply for "${role}"`)
      }
      return { ms: 1000, spent: nothingSpent, edits: reply instanceof Error ? {} : edits, result }
    },
  }
}

/** Divides what a line is for into a branch and a role. */
export function splitWho(who: string): { branch: string; role: string } {
  const at = who.lastIndexOf(': ')
  return at < 0 ? { branch: '', role: who } : { branch: who.slice(0, at), role: who.slice(at + 2) }
}

/** Counts the trials that were played in this process: doubles begin anew with each. */
let trials = 0

function openDoubles(
  doubleOf: (role: string) => AgentDouble | undefined,
  { instruction, roles, tools }: ScriptedTrial,
): PlayedScript {
  const id = `play-${++trials}`
  return {
    left: () => [],
    answer({ number, branch, role, work, prompt, options, shape }) {
      const double = doubleOf(role)
      if (!double)
        throw new Error(`ask ${number}: the strategy asks "${role}", but no double answers for this role`)
      const shown = Object.values(options.show ?? {}).map((text) => text ?? '')
      const format = formatOfAsk(
        { work, shape, texts: [prompt, ...shown] },
        `play/${branch}/mark of ${number}`,
      )
      const request: ReceivedAsk = {
        ...{ role, work, system: options.system, session: options.session, roles, history: [] },
        ...{ timeoutMs: options.timeoutMs, maxOutput: options.maxOutput, schema: format?.schema },
        prompt: composePrompt({ work, instruction, prompt, options, format }),
        attempt: 1,
        repair: false,
        trial: {
          ...{ id, task: 'play', method: 'play', strategy: 'play', epoch: 1, seed: 1, rerun: 0 },
          key: `${branch}#${number}`,
        },
      }
      const texts = { shown, around: [prompt, options.system ?? ''] }
      const read = (text: string) =>
        shape && format ? readAskedData(text, shape, format, texts) : readText(text, work)
      return answerOf({ double, request, read }, toolsOfPlayedAsk({ role, work, options }, tools))
    },
  }
}

/** Reads the text of a reply. An empty one is repaired as in a run. */
const readText = (text: string, work: KindOfWork): { data: unknown } | { problem: string } =>
  text.trim() === '' && work !== 'produce' ? { problem: 'it is empty.' } : { data: text }

/** An ask of a double, and how its reply is read. */
interface DoubleAsk {
  double: AgentDouble
  request: ReceivedAsk
  read(text: string): { data: unknown } | { problem: string }
}

/** Asks a double. A reply that cannot be used gets one repair, as in a run. */
function answerOf(ask: DoubleAsk, tools: SceneTools | undefined): ScriptAnswer {
  const { double, request } = ask
  if (tools) {
    const { answers, calls } = answerWithTools(double, request, tools)
    const last = answers.at(-1) as DoubleAnswer
    if (!last.toolCalls) return { ...answerOfFirst(ask, answers), calls }
    const { reason, message } = lateCallsError(last.toolCalls, answers.length - 1)
    const error = { reason, message: `the double ${message} (as "${request.role}")` }
    const failed = [...answers.slice(0, -1), { ...last, error }]
    return { ...scriptAnswer(failed, () => ''), calls }
  }
  return answerOfFirst(ask, [double.answer(request)])
}

/** Returns the answer of an ask, given the turns of its first reply. */
function answerOfFirst({ double, request, read }: DoubleAsk, turns: readonly DoubleAnswer[]): ScriptAnswer {
  const first = turns.at(-1) as DoubleAnswer
  const parsed = first.error ? { data: '' } : read(first.text)
  if ('data' in parsed) return scriptAnswer(turns, () => parsed.data)
  const wantsData = request.schema !== undefined
  const prompt = repairPrompt(request.prompt, first.text, parsed.problem, wantsData)
  const second = double.answer({ ...request, prompt, attempt: 2, repair: true })
  return scriptAnswer([...turns, second], () => {
    const repaired = read(second.text)
    if ('data' in repaired) return repaired.data
    if (second.text.trim() === '')
      throw new AgentError(
        'empty',
        `the double gave an empty reply as "${request.role}", also after one repair`,
      )
    const message = `the double gave no usable data as "${request.role}", also after one repair: ${repaired.problem}`
    throw new AgentError('unparsable', message)
  })
}

function scriptAnswer(answers: readonly DoubleAnswer[], result: () => unknown): ScriptAnswer {
  const total = (of: (answer: DoubleAnswer) => number | null) =>
    answers.map(of).reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0)
  const last = answers.at(-1) as DoubleAnswer
  return {
    ms: total(({ durationMs }) => durationMs) as number,
    spent: {
      input: total(({ tokens }) => tokens.input),
      output: total(({ tokens }) => tokens.output),
      costUsd: total(({ costUsd }) => costUsd),
    },
    edits: last.error ? {} : Object.assign({}, ...answers.map(({ files }) => files)),
    result() {
      if (last.error) throw new AgentError(last.error.reason, last.error.message)
      return result()
    },
  }
}
