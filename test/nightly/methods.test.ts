import { claimNothingForNothing } from '../heavy/methods-scenario.ts'

claimNothingForNothing(
  [
    ['default', '1'],
    ['default', '2'],
    ['default', '3'],
    ['credulous.yaml', '1'],
    ['credulous.yaml', '2'],
  ],
  'code,python',
)
