import { nameProblems } from '../../loop/plan/filter-tasks.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { shownFacts } from '../../loop/plan/task-facts.ts'
import { counted } from '../../reports/words/numbers.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'

/**
 * Checks the conditions on tasks that the options of methods hold against the tasks of the run. Adds a problem for each property that
 * none of them states. Returns a note for each condition that holds for none of them.
 */
export function checkConditions(
  methods: readonly Method[],
  strategies: readonly KnownStrategy[],
  tasks: readonly Task[],
  problems: Problem[],
): string[] {
  if (tasks.length === 0) return []
  return methods.flatMap(({ label, strategy, options }) => {
    const known = strategies.find((one) => one.strategy.name === strategy)?.strategy
    return (known?.conditionsOf?.(options) ?? []).flatMap((condition) => {
      const found = nameProblems(tasks, condition, `method ${label}: ${condition.text}`, shownFacts)
      problems.push(...found)
      const isIdle = !tasks.some((task) => condition.holds(shownFacts(task)[condition.name]))
      return found.length === 0 && isIdle
        ? [`method ${label}: ${condition.text} holds for none of ${counted(tasks.length, 'task')}`]
        : []
    })
  })
}
