import { z } from 'zod'

/** One file of a change set. Contents are named by SHA-256; null means that there is no file. */
export const Change = z.object({
  path: z.string(),
  mode: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type Change = z.infer<typeof Change>

/** A path that was refused: it stays as it was. */
export const Rejected = z.object({ path: z.string(), reason: z.string() })
export type Rejected = z.infer<typeof Rejected>

/** What an agent changed, as file blocks in its `reply` (their text stands there) or in its `folder` (contents are blobs). */
export const ChangeSet = z.object({
  source: z.enum(['reply', 'folder']),
  changes: z.array(Change),
  /** What was not taken over, and why. */
  rejected: z.array(Rejected).optional(),
})
export type ChangeSet = z.infer<typeof ChangeSet>
