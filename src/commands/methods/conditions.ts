import { nameProblems } from '../../loop/plan/filter-tasks.ts'
import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import { shownFacts } from '../../loop/plan/task-facts.ts'
import { counted } from '../../reports/words/numbers.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'

/**
 * Checks the conditions on tasks that the options of methods hold against the tasks of the run. Adds a problem for each property that
 * none of them states. Returns a note for each condition that decides for none of them: because it holds for none, or an earlier one always does.
 */
export function checkConditions(
  methods: readonly Method[],
  strategies: readonly KnownStrategy[],
  tasks: readonly Task[],
  problems: Problem[],
): string[] {
  if (tasks.length === 0) return []
  const all = counted(tasks.length, 'task')
  return methods.flatMap(({ label, strategy, options }) => {
    const known = strategies.find((one) => one.strategy.name === strategy)?.strategy
    const left = new Set(tasks)
    return (known?.conditionsOf?.(options) ?? []).flatMap((condition) => {
      const where = `method ${label}: ${condition.text}`
      const found = nameProblems(tasks, condition, where, shownFacts)
      problems.push(...found)
      const holds = tasks.filter((task) => condition.holds(shownFacts(task)[condition.name]))
      const decides = holds.filter((task) => left.delete(task))
      if (found.length > 0 || decides.length > 0) return []
      return holds.length === 0
        ? [`${where} holds for none of ${all}`]
        : [`${where} decides for none of ${all}: an earlier line holds for each of its ${holds.length}`]
    })
  })
}
