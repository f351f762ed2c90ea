import type { TrialRecord } from '../schema/ledger/record.ts'
import type { RunManifest } from '../schema/run/run.ts'

/** Kinds of rows, by what stands behind their numbers. */
export const kinds = ['simulated', 'recorded', 'live', 'imported'] as const
/** One of these. */
export type Kind = (typeof kinds)[number]

/** What a kind of rows is called, and what it may stand beside. */
interface Evidence {
  name: string
  /** The same at the begin of a sentence. */
  title: string
  /** Follows titles, and dollars that nobody paid; empty where the numbers were measured here. */
  mark: string
  /** Its numbers describe a profile, not the methods. */
  ofProfile: boolean
  /** Why nothing is tested; empty where tests are made. */
  untested: string
  /** What the time of a trial is called; null: it is unknown, so no table has it. */
  time: string | null
  /** The kinds that may stand beside it in a run or table, in a test, in a line of a history, and in a gate. */
  beside: Readonly<Record<'run' | 'test' | 'history' | 'gate', readonly Kind[]>>
  /** Words that texts on rows of other kinds do not say. */
  words: readonly string[]
}

const alone = (kind: Kind) => ({ run: [kind], test: [kind], history: [kind], gate: [kind] })
const measured = (kind: Kind, words: readonly string[], mark = ` (${kind})`): Evidence => ({
  ...{
    name: kind,
    title: kind.charAt(0).toUpperCase() + kind.slice(1),
    mark,
    ofProfile: false,
    untested: '',
    time: 'median',
    beside: alone(kind),
    words,
  },
})

/** The table of evidence. Texts and checks that depend on the kind of rows read it. */
export const evidence: Readonly<Record<Kind, Evidence>> = {
  simulated: {
    ...measured('simulated', ['simulated', 'simulation', 'simulating', 'profile']),
    ...{ ofProfile: true, untested: 'a test would test the profile, not the methods', time: 'simulated' },
    beside: { ...alone('simulated'), test: [], gate: [] },
  },
  // Real replies, given again: their time is unknown.
  recorded: { ...measured('recorded', ['recorded replies']), time: null },
  live: measured('live', ['live'], ''),
  // Trials of another harness, with its prompts and its graders.
  imported: measured('imported', ['imported']),
}

/** What rows, or a run, say of the kind of their numbers. */
export interface KindFacts {
  simulated: boolean
  recorded?: unknown
  imported?: unknown
}

/** Returns the evidence of rows: simulated, recorded, imported or live. */
export const evidenceOf = ({ simulated, recorded, imported }: KindFacts): Evidence =>
  evidence[simulated ? 'simulated' : recorded ? 'recorded' : imported ? 'imported' : 'live']

/** Returns the kind of a record; undefined for a trial that failed before its first call, which fits every kind. */
export function kindOf({ simulated, recorded, imported, spent }: TrialRecord): Kind | undefined {
  if (simulated) return 'simulated'
  if (recorded) return 'recorded'
  if (imported) return 'imported'
  return spent.calls === 0 ? undefined : 'live'
}

/** Returns what follows the dollars of a run; empty if some of them may be real. Dev mode refuses agents that are paid. */
export const dollarMark = (run: Pick<RunManifest, 'mode' | 'simulated' | 'recorded'>): string =>
  run.mode === 'dev' || run.recorded ? evidenceOf(run).mark : ''
