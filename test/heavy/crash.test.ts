import { it } from 'vitest'
import { survives } from '../cli/run/crash-scenario.ts'

it('a run survives kill -9 at 20 random moments without repeating an answered call or losing a record', () =>
  survives({ kills: 20, seed: 2 }))
