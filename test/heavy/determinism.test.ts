import { recordsAreIdentical } from './all-tasks-scenario.ts'

recordsAreIdentical(20)
