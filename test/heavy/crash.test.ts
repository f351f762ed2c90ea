import { it } from 'vitest'
import { graphPlan, survives } from '../cli/run/crash-scenario.ts'

it('a run survives kill -9 at 20 random moments without repeating an answered call or losing a record', () =>
  survives({ kills: 20, seed: 2 }))

it('a run of graphs survives kill -9 at 15 random moments in the same way', () =>
  survives({ kills: 15, seed: 5, plan: graphPlan, branches: 4 }))
