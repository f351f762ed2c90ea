import type { PlanStep, PlanWork } from '../../schema/graph/plan.ts'

/** Returns what a step may ask: its own work, and that of the steps that it may add. */
export function worksOf({ does, ...own }: PlanStep): PlanWork[] {
  if (does?.kind === 'plan') return [own, does.executor]
  if (does?.kind === 'assign') return [own, does.boss, ...Object.values(does.workers)]
  return [own]
}
