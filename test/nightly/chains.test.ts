import { it } from 'vitest'
import { expectSameChains } from '../helpers/stages/same-chains.ts'

it(
  'records of chains on all built-in tasks are byte-identical at parallel 1 and 4, stopped, killed and replayed 100 times',
  {
    timeout: 1_200_000,
  },
  () => expectSameChains('all', { replayed: 100, shipped: 9 }),
)
