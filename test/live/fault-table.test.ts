import { holdPrograms } from '../helpers/fault-table/hold-programs.ts'

// The whole table is played at night.
holdPrograms(['invalid key', 'empty account', 'empty reply'])
