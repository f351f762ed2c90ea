import type { Strategy } from '../src/strategy.ts'
import { baseline } from './baseline.ts'
import { bestOf } from './best-of.ts'
import { cascade } from './cascade.ts'
import { chained } from './chained.ts'
import { collaboration } from './collaboration.ts'
import { consensus } from './consensus.ts'
import { dag } from './dag.ts'
import { external } from './external.ts'
import { fanout } from './fanout.ts'
import { integrated } from './integrated.ts'
import { retry } from './retry.ts'
import { router } from './router.ts'
import { selfConsistency } from './self-consistency.ts'
import { sequential } from './sequential.ts'
import { directed } from './tools/directed.ts'

/** All built-in strategies, in the order in which `bench methods` lists them. */
export const strategies: readonly Strategy[] = [
  baseline,
  selfConsistency,
  bestOf,
  retry,
  consensus,
  cascade,
  router,
  collaboration,
  dag,
  directed(fanout, 'works'),
  chained,
  directed(integrated, 'decides'),
  sequential,
  external,
]
