import { it } from 'vitest'
import { checkMachineLaws } from '../../helpers/fanout/machine-laws.ts'

it('random machines end within the hard limits, keep their flow, and mention only what exists', async () => {
  await checkMachineLaws(25)
})
