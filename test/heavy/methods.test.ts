import { claimNothingForNothing, runEveryMethod } from './methods-scenario.ts'

runEveryMethod()
// More seeds run in test/nightly.
claimNothingForNothing([
  ['default', '1'],
  ['credulous.yaml', '1'],
])
