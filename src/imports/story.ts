import type { AskStep, Step } from '../schema/ledger/step.ts'
import type { ToolStep } from '../schema/ledger/tool-step.ts'
import { callKey, turnKey } from '../schema/ledger/turn-key.ts'
import type { ToolCall } from '../schema/tool/tool-call.ts'
import { isObject } from '../text/is-object.ts'
import { type StoryPart, words } from './foreign-trial.ts'

/** The trial of which a story tells, and who replied where its parts do not say. */
interface StoryTrial {
  trial: string
  agent: string
}

/** A conversation under way: its texts that were not answered yet, and its latest turn. */
interface Talk {
  system: string[]
  prompt: string[]
  asks: number
  turn: number
  results: number
  calls: Map<string, { call: ToolCall; key: string }>
}

/**
 * Returns the steps of a story, as bench itself writes them: a message that is answered is an ask, replies without a further message are its
 * turns, and what tools gave belongs to their calls. Times are unknown: `at` counts the steps, and durations are 0.
 */
export function storySteps(parts: readonly StoryPart[], { trial, agent }: StoryTrial): Step[] {
  const talks = new Map<string, Talk>()
  const steps: Step[] = []
  for (const part of parts) {
    const { branch = '' } = part
    const talk = talks.get(branch) ?? newTalk()
    talks.set(branch, talk)
    const common = {
      ...{ attempt: 1, payer: 'method' as const, hash: '', at: steps.length, durationMs: 0 },
      ...{ role: branch.split('/').at(-1) || 'agent' },
    }
    if (part.kind === 'reply') steps.push(replyStep(part, talk, { trial, branch, agent, common }))
    else if (part.kind === 'result' && talk.asks > 0) {
      const { call, key } = callOf(part, talk, branch)
      const outcome = part.failed ? 'failed' : 'ok'
      const step: ToolStep = { trial, key, kind: 'tool', ...common, agent, call, outcome, result: part.text }
      steps.push(step)
    } else if (part.kind === 'system') talk.system.push(part.text)
    // What a tool gave before any reply is a part of what the agent was told.
    else talk.prompt.push(part.text)
  }
  return steps
}

const newTalk = (): Talk => ({
  ...{ system: [], prompt: [], asks: 0, turn: 0, results: 0 },
  calls: new Map(),
})

const keyOfTurn = (talk: Talk, branch: string) => turnKey(`${branch}#${talk.asks - 1}`, talk.turn)

function replyStep(
  part: Extract<StoryPart, { kind: 'reply' }>,
  talk: Talk,
  {
    trial,
    branch,
    agent,
    common,
  }: {
    trial: string
    branch: string
    agent: string
    common: Pick<AskStep, 'attempt' | 'payer' | 'hash' | 'at' | 'durationMs' | 'role'>
  },
): AskStep {
  const isNew = talk.prompt.length > 0 || talk.asks === 0
  if (isNew) talk.asks++
  talk.turn = isNew ? 1 : talk.turn + 1
  talk.results = 0
  const [prompt, system] = [talk.prompt.join('\n\n'), talk.system.join('\n\n')]
  Object.assign(talk, { prompt: [], system: [] })
  const key = keyOfTurn(talk, branch)
  for (const call of part.calls) talk.calls.set(call.id, { call, key: callKey(key, ++talk.results) })
  return {
    ...{ trial, key, kind: 'ask', ...common, work: 'produce' },
    ...{ agent: part.model ?? agent, simulated: false, prompt, ...(system !== '' && { system }) },
    reply: part.text,
    ...(part.calls.length > 0 && { toolCalls: part.calls }),
    ...{ tokens: part.tokens, costUsd: part.costUsd, waitMs: 0 },
  }
}

/** Returns the call of a result, with the key of its step; a result of no call that is known follows those of its turn. */
function callOf(
  { call: id, name }: Extract<StoryPart, { kind: 'result' }>,
  talk: Talk,
  branch: string,
): { call: ToolCall; key: string } {
  const known = id === null ? undefined : talk.calls.get(id)
  if (known) {
    // A second result of one call is a step of its own.
    talk.calls.delete(id as string)
    return known
  }
  return {
    call: { id: id ?? '', name: name ?? 'unknown', arguments: '' },
    key: callKey(keyOfTurn(talk, branch), ++talk.results),
  }
}

/** Returns the text of a message, which may come in parts; what is no text is named by its kind. */
export function messageText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part) => {
      if (!isObject(part)) return ''
      if (part.type === 'reasoning') return withThoughts(words(part.reasoning), '')
      return words(part.text) ?? `[${words(part.type) ?? 'no text'}]`
    })
    .filter((text) => text !== '')
    .join('\n')
}

/** Returns a reply with what the model thought before it, marked as in replies of models that mark it themselves. */
export const withThoughts = (thoughts: string | null, text: string): string =>
  thoughts === null ? text : `<think>\n${thoughts}\n</think>\n${text}`
