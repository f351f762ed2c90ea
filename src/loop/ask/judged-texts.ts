import type { z } from 'zod'
import { readData } from '../../replies/data/read-data.ts'
import { type JudgedTexts, mayReadUnmarked } from '../../replies/data/unmarked.ts'
import type { Branch } from '../state/branch.ts'
import { type Attempt, turnsBefore } from './agent-request.ts'
import { type Format, withoutFormat } from './prompt.ts'

/** Reads the data of a reply to an ask; of a judge the value with its mark. */
export function readAskedData(
  text: string,
  shape: z.ZodType,
  { schema, judge }: Format,
  texts: JudgedTexts,
): { data: unknown } | { problem: string } {
  if (!judge) return readData(text, shape, { schema })
  const { own, mark } = judge
  return readData(text, shape, { schema: own, mark, mayBeUnmarked: mayReadUnmarked(own, texts) })
}

/** Returns the texts that an ask's agent may quote: what it was shown, and what it could read beside that. */
export function judgedTexts(branch: Branch, call: Attempt): JudgedTexts {
  const { agent, options, turn, prompt } = call
  const results = turn?.tools.turns.flatMap((one) => one.results.map(({ text }) => text)) ?? []
  const mayOpenFiles = agent.isProgram || agent.userCode || turn !== undefined
  const written = mayOpenFiles ? [...branch.state.changed.values()].map((content) => content ?? '') : []
  return {
    shown: [...Object.values(options?.show ?? {}).map((text) => text ?? ''), ...results],
    around: [
      withoutFormat(prompt),
      options?.system ?? '',
      ...turnsBefore(branch, call).map((one) => withoutFormat(one.prompt)),
      ...written,
    ],
  }
}
