import type { Summary } from '../../analysis/summary.ts'
import { confidenceName } from '../tables/method-columns.ts'

/** Column of names: its key and heading. */
export const name = (key: string, heading: string) => ({ key, heading, unit: '', kind: 'name' }) as const
/** Column of words. */
export const words = (key: string, heading: string) => ({ key, heading, unit: '', kind: 'words' }) as const
/** Column of numbers. */
export const number = (key: string, heading: string, unit: string) =>
  ({ key, heading, unit, kind: 'number' }) as const
/** Returns the heading of a column of limits. */
export const limitsHeading = (of: Pick<Summary, 'confidence'>) => `${confidenceName(of)} limits`
/** Returns a key as the heading of a column. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
