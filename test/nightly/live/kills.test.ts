import { it } from 'vitest'
import { programs } from '../../live/clients.ts'
import { survivesKills } from '../../live/kill-scenario.ts'
import { patience } from '../../live/live-run.ts'

it.each(programs)(
  '$agent: after kill -9 no call with a synced result is sent again',
  ({ agent }) => survivesKills({ agent, kills: 2, epochs: 2, faultRate: 0 }),
  patience,
)
