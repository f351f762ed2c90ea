import { survivesUnderLoad } from './crash-under-load.ts'

// 20 moments; more are in test/nightly.
survivesUnderLoad(2)
