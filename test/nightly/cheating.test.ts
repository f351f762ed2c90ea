import { withstandCheating } from '../faults/cheating-scenario.ts'

withstandCheating({ oneOf: 1, published: 40 })
