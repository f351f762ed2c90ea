import { survivesUnderLoad } from '../faults/crash-under-load.ts'

// 100 moments.
survivesUnderLoad(10)
