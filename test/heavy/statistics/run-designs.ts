import { tableOf } from '../../helpers/house/tables.ts'
import type { RunDesign } from './simulated-runs.ts'

export const equalMethods: readonly RunDesign[] = tableOf(import.meta.url, 'equal')
export const missingTrials: readonly RunDesign[] = tableOf(import.meta.url, 'missing')
export const clusteredTasks: readonly RunDesign[] = tableOf(import.meta.url, 'clustered')
export const worseByMargin: readonly RunDesign[] = tableOf(import.meta.url, 'at_margin')
export const ratesNearCeiling: readonly [number, number, number, number][] = tableOf(import.meta.url, 'rates')
export const pricesOfFewTasks: readonly [number, number, number, number][] = tableOf(
  import.meta.url,
  'prices',
)
export const powers: readonly (RunDesign & { found: string; before: number })[] = tableOf(
  import.meta.url,
  'power',
)
