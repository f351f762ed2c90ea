import type { GraphStep } from '../../graph.ts'
import type { StrategyContext } from '../../strategy.ts'

// Each strategy has its own roles and options; `ask` checks the role.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
export type Context = StrategyContext<any, any>
// biome-ignore lint/suspicious/noExplicitAny: see above; a step gives any value
export type Step = GraphStep<Context, any>
