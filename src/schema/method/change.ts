import { z } from 'zod'

/** One file of a change set. `before` and `after` are SHA-256 of the contents; null if there is no file. */
export const Change = z.object({
  path: z.string(),
  mode: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type Change = z.infer<typeof Change>

/** A change that was refused. The file stays as it was. */
export const Rejected = z.object({ path: z.string(), reason: z.string() })
export type Rejected = z.infer<typeof Rejected>

/** An agent's changes: from file blocks in its `reply`, which contains the text; from its `folder`, or by a `tool` (contents are blobs). */
export const ChangeSet = z.object({
  source: z.enum(['reply', 'folder', 'tool']),
  changes: z.array(Change),
  /** Refused changes, and why. */
  rejected: z.array(Rejected).optional(),
  /** What was read with doubt, in plain words. */
  notes: z.array(z.string()).optional(),
})
export type ChangeSet = z.infer<typeof ChangeSet>
