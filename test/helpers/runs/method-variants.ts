import { tableOf } from '../house/tables.ts'
/** Options that make a strategy take other paths than the defaults do. */
export const variants: Readonly<Record<string, readonly object[]>> = tableOf(import.meta.url, 'variants')
