import { recordsAreIdentical } from '../../heavy/all-tasks-scenario.ts'

recordsAreIdentical(8)
