import { survivesKills } from '../faults/kill-campaign.ts'

// 200 kills, in the sandbox that there is.
survivesKills(6.7, ['--allow-unsandboxed'])
