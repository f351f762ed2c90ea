import { it } from 'vitest'
import { programs } from './clients.ts'
import { survivesKills } from './kill-scenario.ts'
import { patience } from './live-run.ts'

it.each(programs)(
  'sends nothing again whose result was synced, after kill -9 in the middle: $agent',
  ({ agent }) => survivesKills({ agent, kills: 2, epochs: 2, faultRate: 0 }),
  patience,
)
