import { z } from 'zod'

/** Which of the selected tasks a run has. Its manifest names them; this says why. */
export const TaskFilter = z.object({
  /** A task needs one of these tags. */
  tags: z.array(z.string()).optional(),
  /** Conditions that must all hold, as typed. */
  where: z.array(z.string()).optional(),
  /** The size of the sample. */
  sample: z.int().positive().optional(),
  /** The seed of the sample. */
  seed: z.int().min(0),
})
export type TaskFilter = z.infer<typeof TaskFilter>

/** Returns a filter as it is typed after `--tasks`. */
export const filterText = ({ tags, where, sample, seed }: TaskFilter): string =>
  [
    ...(tags ? [`--tag ${tags.join(',')}`] : []),
    ...(where ? [`--where ${where.join(',')}`] : []),
    ...(sample === undefined ? [] : [`--sample ${sample} of seed ${seed}`]),
  ].join(' ')
