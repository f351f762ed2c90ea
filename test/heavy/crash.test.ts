import { it } from 'vitest'
import { survives } from '../cli/run/crash-scenario.ts'

it('survives kill -9 at 20 random moments without asking an answered call again, or losing a record', () =>
  survives({ kills: 20, seed: 2 }))
