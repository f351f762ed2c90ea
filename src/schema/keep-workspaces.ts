import { z } from 'zod'
import { settings } from './settings/settings.ts'

/** Of which trials a run keeps the workspace: of those that did not pass, of all, or of none. */
export const KeepWorkspaces = z.enum(settings.keepWorkspaces.value)
export type KeepWorkspaces = z.infer<typeof KeepWorkspaces>
