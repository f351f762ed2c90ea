import { z } from 'zod'
import type { PlanRole, PlanStep } from '../../schema/graph/plan.ts'
import { askStep } from './ask-step.ts'
import type { AddedStep, Part, StepDone } from './graph-log.ts'
import { cut, listOf } from './plan-parts.ts'
import type { Context } from './step-prompt.ts'

type Assigning = Extract<PlanRole, { kind: 'assign' }>
type Request = Parameters<typeof askStep>[2]

/** Asks a boss who is to do what in this round. Tasks beyond the maximum are left out, and an event says so. */
export async function assignTasks(
  context: Context,
  step: PlanStep,
  { round, rounds, max, workers }: Assigning,
  { prompt, show }: Request,
): Promise<StepDone> {
  const names = Object.keys(workers)
  const shape = z.object({
    tasks: z.array(z.object({ worker: z.enum(names), do: z.string().trim().min(1) })),
  })
  const words =
    `Give tasks to the workers below, at most ${max}; the same worker may get several. The tasks are done side by side. ` +
    `This is round ${round} of at most ${rounds}. Give no task when nothing is left to be done.`
  const known = names.map((name) => `${name}: ${workers[name]?.prompt}`).join('\n')
  const request = { prompt: `${prompt}\n\n${words}`, show: { ...show, workers: known } }
  const { tasks } = await askStep(context, step, request, shape)
  const parts = cut(context, step.id, tasks, max).map((task) => ({ worker: task.worker, text: task.do }))
  return { text: listOf(parts) || 'Nothing is left to be done.', workspace: context.workspace, parts }
}

/** Returns the steps of the workers, and the boss's next round, which reads them. Without tasks there is no further round. */
export function stepsOfTasks(boss: PlanStep, assigning: Assigning, parts: readonly Part[]): AddedStep[] {
  const { prefix, round, rounds, workers } = assigning
  const turn = (of: number) => placedIn(boss, of)
  const added = parts.flatMap(({ worker = '', text }, place): AddedStep[] => {
    const work = workers[worker]
    if (!work) throw new Error(`the plan has no worker ${worker}`)
    const id = `${prefix}${worker}::r${round}_${place + 1}`
    const prompt = `${work.prompt}\n\nYour task:\n${text}`
    return [{ part: text, step: { ...work, id, needs: [boss.id], prompt, parts: turn(round) } }]
  })
  if (added.length === 0 || round === rounds) return added
  const next: PlanStep = {
    ...assigning.boss,
    id: `${prefix}boss::r${round + 1}`,
    needs: [boss.id, ...added.map(({ step }) => step.id)],
    parts: turn(round + 1),
    does: { ...assigning, round: round + 1 },
  }
  return [...added, { step: next }]
}

function placedIn({ parts }: PlanStep, turn: number): PlanStep['parts'] {
  return parts.map(({ pattern, kind }, depth) => ({
    ...{ pattern, kind },
    ...(depth === parts.length - 1 && { turn }),
  }))
}
