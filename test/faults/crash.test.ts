import { survivesUnderLoad } from './crash-under-load.ts'

// 30 moments.
survivesUnderLoad(3)
