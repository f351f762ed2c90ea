import { suitesByName } from '../../loop/plan/built-in-tasks.ts'

/** The selection of all built-in tasks, with those that `all` leaves out. */
export const everyBuiltIn: string = ['all', ...suitesByName].join(',')
