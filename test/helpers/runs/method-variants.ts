import { strategies } from '../../../strategies/index.ts'
import { tableOf } from '../house/tables.ts'

/** The built-in strategies that any agent can answer: not those whose programs ask models themselves. */
export const askingStrategies = strategies.filter(({ asksModels }) => !asksModels)

/** Options that make a strategy take other paths than the defaults do. */
export const variants: Readonly<Record<string, readonly object[]>> = tableOf(import.meta.url, 'variants')
