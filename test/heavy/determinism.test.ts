import { recordsAreIdentical } from './all-tasks-scenario.ts'

recordsAreIdentical(8)
