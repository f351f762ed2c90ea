import type { Step } from './step.ts'

/** Returns copies of checked steps, without secrets in their names, which the method cannot change any more. */
export const ownSteps = (steps: readonly Step[], clean: <Value>(value: Value) => Value): Step[] =>
  steps.map((step) => ({
    ...clean({ id: step.id, after: [...step.after], part: step.part?.map((part) => ({ ...part })) ?? [] }),
    run: (context, inputs) => step.run(context, inputs),
    ...(step.onFailure && { onFailure: step.onFailure }),
    ...(step.conflict && { conflict: step.conflict }),
    ...(step.expand && {
      expand: (value: unknown) => step.expand?.(value) as ReturnType<typeof step.expand>,
    }),
  }))
