import { z } from 'zod'
import { AgentSetting } from './agent-settings.ts'

/** An agent that a method's document names for a role. */
export const DocumentAgent = z.strictObject({
  role: z.string().min(1),
  /** Its place in the document: `file:line field`. */
  where: z.string().min(1),
  /** As after `--agents`: `provider:model` or a name of the config file. `LABEL=PROVIDER:MODEL` if it has settings. */
  name: z.string().min(1),
  /** Programs are described in the config file alone. */
  settings: AgentSetting.omit({ program: true, window: true, family: true }).optional(),
})
export type DocumentAgent = z.infer<typeof DocumentAgent>
