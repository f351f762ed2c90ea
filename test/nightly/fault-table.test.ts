import { holdPrograms } from '../helpers/fault-table/hold-programs.ts'

holdPrograms()
