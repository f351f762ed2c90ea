import { z } from 'zod'

/** How well code was held: `full` when every attack of the probe was, `none` when nothing stood around it. */
export const SandboxLevel = z.enum(['full', 'partial', 'none'])
export type SandboxLevel = z.infer<typeof SandboxLevel>
