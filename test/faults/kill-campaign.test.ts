import { survivesKills } from './kill-campaign.ts'

// 30 kills; 200 are in test/nightly.
survivesKills(1)
