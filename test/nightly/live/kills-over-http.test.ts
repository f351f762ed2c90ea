import { it } from 'vitest'
import { families } from '../../live/clients.ts'
import { survivesKills } from '../../live/kill-scenario.ts'

it.each(families)(
  '$agent: after kill -9 at several moments and any faults no call with a synced result is sent again',
  ({ agent }) => survivesKills({ agent, kills: 4, epochs: 3, faultRate: 0.3 }),
)
