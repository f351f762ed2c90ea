import { it } from 'vitest'
import { checkMachineLaws } from '../helpers/fanout/machine-laws.ts'

it('random machines end within the hard limits, keep their flow, and mention only what exists', {
  timeout: 3_600_000,
}, async () => {
  await checkMachineLaws(20_000)
})
