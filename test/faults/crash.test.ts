import { survivesUnderLoad } from './crash-under-load.ts'

// 10 moments; more are in test/nightly.
survivesUnderLoad(1)
