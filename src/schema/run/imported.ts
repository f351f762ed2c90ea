import { z } from 'zod'

/** What an import found, by row: how many trials are in which state. */
export const ImportedRow = z.object({
  /** Its label. */
  row: z.string(),
  passed: z.int(),
  failed: z.int(),
  notGraded: z.int(),
  error: z.int(),
  notRun: z.int(),
})
export type ImportedRow = z.infer<typeof ImportedRow>

/** The results of another harness, of which a run folder was made. */
export const ImportedFacts = z.object({
  /** The format, as named by bench import, and its version, as the files state it. */
  format: z.string(),
  versions: z.array(z.string()),
  /** Files that were read, and their SHA-256. */
  files: z.array(z.object({ path: z.string(), digest: z.string() })),
  rows: z.array(ImportedRow),
  /** Trials that were found a second time, and count once. */
  copies: z.int(),
  /** Trials without a verdict that count as failed, since the user said so; absent: they are not graded. */
  asFailed: z.int().optional(),
  /** Trials whose answer was not kept, since together they are longer than 16 MiB. */
  droppedAnswers: z.int().optional(),
  /** What was left out: how much, and the first thousand with place and reason. */
  leftOut: z.object({ count: z.int(), items: z.array(z.object({ where: z.string(), what: z.string() })) }),
  /** Totals that the files state and that differ from those counted. */
  differing: z.array(
    z.object({
      where: z.string(),
      row: z.string(),
      what: z.string(),
      stated: z.number(),
      counted: z.number(),
    }),
  ),
  /**
   * With --price: trials whose cost the files do not state, by row: those that bench priced, by `prices` of the run, and why others have no
   * cost, the commonest reasons first. Absent: all costs are those of the files.
   */
  priced: z
    .object({
      rows: z.array(z.object({ row: z.string(), trials: z.int() })),
      unpriced: z.array(z.object({ why: z.string(), trials: z.int() })),
    })
    .optional(),
  /** Trials whose transcripts are steps of the run, and those whose transcripts are not kept: damaged ones, and what is longer than 256 MiB together. */
  stories: z
    .object({
      told: z.int(),
      leftOut: z.int(),
      items: z.array(z.object({ where: z.string(), what: z.string() })),
    })
    .optional(),
  /** Versions that bench was not tried with. */
  untested: z.array(z.string()).optional(),
})
export type ImportedFacts = z.infer<typeof ImportedFacts>
