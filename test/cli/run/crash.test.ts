import { it } from 'vitest'
import { survives } from './crash-scenario.ts'

it('asks no answered call again after kill -9, reports those in flight, and ends with the records of a calm run', () =>
  survives({ kills: 3, seed: 1 }))
