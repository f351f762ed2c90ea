import { z } from 'zod'
import type { PlanRole, PlanStep } from '../../schema/graph/plan.ts'
import { askStep } from './ask-step.ts'
import type { AddedStep, Part, StepDone } from './graph-log.ts'
import type { Context } from './step-prompt.ts'

type Planning = Extract<PlanRole, { kind: 'plan' }>
type Request = Parameters<typeof askStep>[2]

const Parts = z.object({ steps: z.array(z.string().trim().min(1)).min(1) })

/** Asks a planner for the parts of the work. Parts beyond the maximum are left out, and an event says so. */
export async function planParts(
  context: Context,
  step: PlanStep,
  { max }: Planning,
  { prompt, show }: Request,
): Promise<StepDone> {
  const words = `List the steps of the work, at least one and at most ${max}, each as a whole instruction for the agent that does it.`
  const { steps } = await askStep(context, step, { prompt: `${prompt}\n\n${words}`, show }, Parts)
  const parts = cut(context, step.id, steps, max).map((text) => ({ text }))
  return { text: listOf(parts), workspace: context.workspace, parts }
}

/** Returns the steps that do the parts of a plan, each with its text. In sequence each reads all before it. */
export function stepsOfParts(
  planner: PlanStep,
  { prefix, order, executor }: Planning,
  parts: readonly Part[],
): AddedStep[] {
  const idOf = (place: number) => `${prefix}${String(place + 1).padStart(2, '0')}`
  return parts.map(({ text }, place) => {
    const before = order === 'sequential' ? parts.slice(0, place).map((_, i) => idOf(i)) : []
    return {
      part: text,
      step: {
        ...executor,
        id: idOf(place),
        needs: [planner.id, ...before],
        prompt: `${executor.prompt}\n\nYour part of the work, step ${place + 1} of ${parts.length}:\n${text}`,
        parts: planner.parts.map(({ pattern, kind }) => ({ pattern, kind })),
      },
    }
  })
}

/** Returns the first of the parts that an agent named, and notes it where there are more. */
export function cut<Item>(
  { note }: Pick<Context, 'note'>,
  step: string,
  items: readonly Item[],
  max: number,
): Item[] {
  if (items.length > max) note({ type: 'plan-cut', step, given: items.length, kept: max })
  return items.slice(0, max)
}

/** Returns parts as a numbered list. */
export const listOf = (parts: readonly Part[]): string =>
  parts
    .map(({ worker, text }, place) => `${place + 1}. ${worker === undefined ? '' : `${worker}: `}${text}`)
    .join('\n')
