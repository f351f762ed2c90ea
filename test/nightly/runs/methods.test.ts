import { claimNothingForNothing, runEveryMethod } from '../../heavy/methods-scenario.ts'

runEveryMethod()
// Runs of all tasks with several profiles and seeds are in test/nightly.
claimNothingForNothing([], 'duration-text,seat-block')
