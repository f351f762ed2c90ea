import { z } from 'zod'

/** The isolation of code: `full` if the sandbox stops every attack of the probe, `none` without a sandbox. */
export const SandboxLevel = z.enum(['full', 'partial', 'none'])
export type SandboxLevel = z.infer<typeof SandboxLevel>
