import { it } from 'vitest'
import { survives } from './crash-scenario.ts'

it('after kill -9 a run asks no answered call again, reports those in flight, and ends with the records of an undisturbed run', () =>
  survives({ kills: 2, seed: 1 }))
