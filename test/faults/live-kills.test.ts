import { it } from 'vitest'
import { families } from '../live/clients.ts'
import { survivesKills } from '../live/kill-scenario.ts'

it.each(families)(
  'sends nothing again over HTTP whose result was synced, after kill -9 at several moments and any faults: $agent',
  ({ agent }) => survivesKills({ agent, kills: 4, epochs: 3, faultRate: 0.3 }),
)
