import type { Answer, ModelRequest } from '../model-server/script.ts'

/** A part of a method, as its prompt begins. */
type Part = (seen: Seen) => string
interface Seen {
  /** What this trial has been answered so far, by the prompt's first words. */
  count(words: string): number
  revise: boolean
}

/** Prompts of the roles that produce. */
const work = ['Solve the task.', 'Do the task so that']

const parts: Readonly<Record<string, Part>> = {
  'Write the contract': () => 'R1 The work is right.',
  'Rewrite the contract': () => 'R1 The work is right. R2 It is whole.',
  'Audit the work': ({ count }) =>
    JSON.stringify({ compliance: count('Do the task so that') > 0 ? 1 : 0, violations: [] }),
  'Does the work below do': ({ count, revise }) => {
    const satisfied = !revise || count('Does the work below do') > 0
    return JSON.stringify({ satisfied, feedback: satisfied ? '' : 'Look again.' })
  },
  'The work below is accepted': () => 'Title: the work',
  'You coordinate the work': ({ count, revise }) => {
    const order = revise
      ? ['code-generator', 'evaluator', 'refiner', 'code-generator', 'evaluator', 'finish']
      : ['code-generator', 'finish']
    return JSON.stringify({ next: order[count('You coordinate the work')] ?? 'finish', brief: 'As usual.' })
  },
}

/** The trial that a request belongs to, by the mark with which its first prompt begins. */
export const markOf = (request: Pick<ModelRequest, 'system' | 'messages'>): string =>
  /\[([0-9a-f]{24})\]/.exec(request.messages.map(({ text }) => text).join('\n') + request.system)?.[1] ?? ''

/** A model that plays the methods. */
export interface MethodsModel {
  answer(request: ModelRequest): Answer | undefined
  /** Numbers of the requests that it answered with a tool call, so that the next one is of the same ask. */
  goesOn: ReadonlySet<number>
}

/**
 * Plays all roles of the built-in methods, so that each trial ends quickly: the first work is right and every judge says
 * so; with `revise` the first evaluation asks for another round. `solve` gives the work for a prompt of a producing role.
 */
export function methodsModel(
  solve: (prompt: string, request: ModelRequest) => Answer,
  { revise = false } = {},
): MethodsModel {
  const answered = new Map<string, Map<string, number>>()
  const goesOn = new Set<number>()
  const answer = (request: ModelRequest): Answer | undefined => {
    const prompt = request.messages
      .filter(({ role }) => role === 'user')
      .map(({ text }) => text)
      .join('\n')
    // Contexts hold replies, which begin no part: the first words that are found are the prompt's own.
    const found = [...work, ...Object.keys(parts)].filter((words) => prompt.includes(words))
    const [words] = found.sort((a, b) => prompt.indexOf(a) - prompt.indexOf(b))
    if (words === undefined) return undefined
    const mark = markOf(request)
    const counts = answered.get(mark) ?? new Map<string, number>()
    answered.set(mark, counts)
    const said = parts[words]?.({ count: (words) => counts.get(words) ?? 0, revise })
    const reply = said === undefined ? solve(prompt, request) : { text: said }
    if (reply.toolCalls) goesOn.add(request.number)
    else counts.set(words, (counts.get(words) ?? 0) + 1)
    return { ...reply, thinking: 'So be it.', usage: { cached: 3 } }
  }
  return { answer, goesOn }
}
