import type { AskOptions } from '../../ask.ts'
import type { StepResult } from '../../graph.ts'
import type { PlanStep } from '../../schema/graph/plan.ts'
import type { StrategyContext } from '../../strategy.ts'
import { filesContext, replyContext } from '../work-context.ts'
import type { GraphLog, StepDone } from './graph-log.ts'
import { stepName } from './step-name.ts'

/** The context of a strategy that runs a graph, or of one of its steps. */
export type Context = StrategyContext<string, unknown>

/** The results of the steps that a step waited for. */
export type Inputs = ReadonlyMap<string, StepResult<StepDone>>

type Show = NonNullable<AskOptions['show']>

/** Returns the prompt of a step and the texts to show. Neither mentions a step that failed or was skipped. */
export function stepPrompt(
  step: PlanStep,
  { log, inputs, context }: { log: GraphLog; inputs: Inputs; context: Context },
): { prompt: string; show: Show } {
  const { instruction, workspace } = context
  const show: Record<string, string> = {}
  // The prompt of a `produce` role begins with the task anyway.
  if (log.plan.input !== null) show.input = log.plan.input
  else if (step.work !== 'produce') show.task = instruction
  const chooses = step.does?.kind === 'choose' ? new Set(Object.values(step.does.candidates)) : undefined
  for (const { id, agent, work } of log.steps) {
    const input = inputs.get(id)
    // A referee reads its candidates without their names.
    if (input?.status !== 'done' || chooses?.has(log.rootOf(id))) continue
    const { text } = input.value
    show[`reply of ${stepName(id)}, by ${agent}`] = work === 'produce' ? replyContext(text, workspace) : text
  }
  // The files of several candidates at once are nobody's work.
  if (!chooses) show.files = filesContext(workspace)
  return { prompt: [step.prompt, ...roundWords(step)].join('\n\n'), show }
}

/** Says what a later round of a debate is for. */
function roundWords({ parts }: PlanStep): string[] {
  const { kind, turn = 1 } = parts.at(-1) ?? {}
  if (kind !== 'debate' || turn === 1) return []
  return [
    `This is round ${turn} of a debate. Below is what each side said in the round before. Answer the others, and say what you hold now.`,
  ]
}
