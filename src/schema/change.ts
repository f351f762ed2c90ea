import { z } from 'zod'

/** One file of a change set. Contents are named by SHA-256; null means that there is no file. */
export const Change = z.object({
  path: z.string(),
  mode: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type Change = z.infer<typeof Change>

/** What an agent changed, as file blocks in its `reply` (their text stands there) or in its `folder` (contents are blobs). */
export const ChangeSet = z.object({
  source: z.enum(['reply', 'folder']),
  changes: z.array(Change),
  /** Paths that were refused because they leave the workspace. */
  rejected: z.array(z.string()).optional(),
})
export type ChangeSet = z.infer<typeof ChangeSet>
