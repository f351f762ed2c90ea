import { z } from 'zod'
import type { TrialRecord } from '../schema/ledger/record.ts'
import type { Finding, ForeignTrial } from './foreign-trial.ts'

const amount = z.coerce.number().nonnegative().optional().catch(undefined)

/** What `bench export` adds to a trial where a format has no field for it. They are texts, since Every Eval Ever takes no others. */
const OwnMarks = z.object({
  bench_method: z.string().optional().catch(undefined),
  bench_epoch: z.coerce.number().int().positive().optional().catch(undefined),
  bench_score: amount,
  bench_calls: amount,
  bench_cost_usd: amount,
  bench_duration_ms: amount,
  /** The limit that ended the trial. */
  bench_limit: z.string().optional().catch(undefined),
  /** Its numbers describe a profile. */
  bench_simulated: z.string().optional().catch(undefined),
})

/** Returns the marks of a trial that is exported under the name of a row. Cost and calls are left out where they are unknown. */
export function marksOf(record: TrialRecord, row: string): Record<string, string> {
  const { epoch, score, spent, durationMs, outcome, simulated } = record
  const marks: Record<keyof z.infer<typeof OwnMarks>, string | number | null | false> = {
    bench_method: row,
    bench_epoch: epoch,
    bench_score: score,
    bench_calls: spent.calls > 0 && spent.calls,
    bench_cost_usd: spent.unreportedCost === 0 && spent.costUsd,
    bench_duration_ms: durationMs,
    bench_limit: outcome.status === 'limited' && outcome.reason,
    bench_simulated: simulated && 'true',
  }
  return Object.fromEntries(
    Object.entries(marks).flatMap(([name, value]) =>
      value === null || value === false ? [] : [[name, String(value)]],
    ),
  )
}

/** Fields of a trial that marks know better than the format; none where they are missing. `value` is what the file has in their place. */
export function fieldsOfMarks(value: unknown): Partial<Omit<ForeignTrial, 'content' | 'answer'>> {
  const marks = parse(value)
  const fields = {
    agent: marks.bench_method,
    epoch: marks.bench_epoch,
    score: marks.bench_score,
    calls: marks.bench_calls,
    costUsd: marks.bench_cost_usd,
    durationMs: marks.bench_duration_ms,
    limit: marks.bench_limit,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined))
}

/** Returns the problem of a trial that bench exported from a simulated run; undefined for any other. */
export function simulatedProblem(value: unknown, where: string): Finding | undefined {
  if (parse(value).bench_simulated === undefined) return undefined
  return {
    problem: {
      where,
      what: 'is a simulated trial of bench, not a result of a model',
      fix: 'Use bench report on its own run.',
    },
  }
}

const parse = (value: unknown): z.infer<typeof OwnMarks> => OwnMarks.safeParse(value).data ?? {}
