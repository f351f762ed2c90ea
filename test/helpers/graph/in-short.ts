import type { Problem } from '../../../src/text/errors.ts'

/** Returns the place of a mistake and how its words begin, which tell the rule. The texts themselves may change. */
export const inShort = ({ where = '', what }: Problem): string =>
  `${where.replace(/^[\w./-]+\.yaml:/, '')}: ${what.split(' ').slice(0, 5).join(' ')}`
