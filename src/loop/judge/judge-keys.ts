import { branchName } from '../state/branch.ts'

/** No branch of a method has such a name: it holds a `!`. */
const prefix = 'grade!'

/** Returns the path of a judge's asks about one grader. `of` is the key of the candidate; `place` counts judges from 0. */
export const judgePath = (grader: string, place: number, of: string | undefined): string =>
  `${prefix}${branchName(grader)}/${place + 1}${of === undefined ? '' : ` of ${of}`}`

/** Whether a step is an ask of a judge. */
export const isJudgeKey = (key: string): boolean => key.startsWith(prefix)
