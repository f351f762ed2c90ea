import { withstandCheating } from './cheating-scenario.ts'

// All of it, also without a sandbox, is in test/nightly.
withstandCheating({ oneOf: 10, published: 3 })
