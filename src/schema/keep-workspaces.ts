import { z } from 'zod'

/** Of which trials a run keeps the workspace: of those that did not pass, of all, or of none. */
export const KeepWorkspaces = z.enum(['failed', 'all', 'none'])
export type KeepWorkspaces = z.infer<typeof KeepWorkspaces>
