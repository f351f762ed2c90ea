import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Verdict, VerdictCounts } from '../../schema/ledger/verdict.ts'
import type { SandboxLevel } from '../../schema/sandbox-level.ts'
import type { Task } from '../../schema/task.ts'
import type { CheckResult } from '../../strategy.ts'
import { canonicalJson, digest } from '../../text/canonical-json.ts'
import { InfrastructureError } from '../../text/errors.ts'
import type { GradeResult } from '../grade.ts'
import { judgedKey } from '../result-memory.ts'
import { type VerdictFile, verdictName } from './verdict-file.ts'

/** What each kind of judging gives. */
export interface Results {
  grade: GradeResult
  check: CheckResult
}

/** What graders or visible checks judge. */
interface JudgedWork<Kind extends keyof Results> {
  kind: Kind
  task: Task
  files: Parameters<typeof judgedKey>[1]
  answer: string | undefined
  /** What the score says if nothing was delivered; see `undeliveredText`. */
  undelivered?: string | undefined
  signal: AbortSignal
  /** Runs programs in the sandbox. */
  run: SandboxRun
  /** The share of its time that a program may take if its verdict is to be kept; a half by default, since another machine may be slower. */
  steadyShare?: number
}

/** A work, whoever judges it. */
type Work = Pick<JudgedWork<keyof Results>, 'task' | 'files' | 'answer' | 'undelivered'>

interface Judgement<Result> {
  result: Result
  level: SandboxLevel | undefined
}

/** Verdicts of code that are kept in a file, for one session of a run. */
export interface Verdicts {
  /** The file as the user named it, and its SHA-256 when the session began; null: nothing of it is used. */
  file: string
  digest: string | null
  /**
   * Returns the kept verdict of a work, or judges it. Throws `InfrastructureError` if a verdict that is to be proved is not what
   * judging gives now.
   */
  judge<Kind extends keyof Results>(
    work: JudgedWork<Kind>,
    judge: (run: SandboxRun) => Promise<Judgement<Results[Kind]>>,
  ): Promise<Judgement<Results[Kind]>>
  /** Whether a work is kept as one that takes longer than a wrong solution may. */
  isSlow(work: Work): boolean
  /** Notes whether a work took longer than a wrong solution may; what is noted last counts. */
  noteTime(work: Work, isSlow: boolean): void
  counts(): VerdictCounts
  /** Writes the file with the verdicts that this session adds: each of work that was judged equally every time. */
  save(): void
}

/** A part of the verdicts: the `part`-th of `of` parts, from 1. */
export interface VerdictsPart {
  part: number
  of: number
}

/** How verdicts are kept. */
interface KeptVerdicts {
  /** As the user named it. */
  file: string
  /** What it holds; undefined: nothing that can be used. */
  read: Pick<VerdictFile, 'digest' | 'verdicts'> | undefined
  /** Those of this part are judged again and compared. */
  proved: VerdictsPart | undefined
  /** Writes the whole file; undefined: it stays as it is. */
  write: ((verdicts: readonly Verdict[]) => void) | undefined
}

/** Uses the verdicts of a file. */
export function createVerdicts({ file, read, proved, write }: KeptVerdicts): Verdicts {
  const kept = read?.verdicts ?? new Map<string, Verdict>()
  const found = new Map<string, Verdict | 'unsteady'>()
  const counts = { taken: 0, graded: 0, proved: 0 }
  return {
    file,
    digest: read?.digest ?? null,
    isSlow: (work) => kept.has(verdictName({ kind: 'slow', key: workKey(work) })),
    noteTime(work, isSlow) {
      const slow = { kind: 'slow' as const, key: workKey(work) }
      if (isSlow) found.set(verdictName(slow), slow)
      else found.delete(verdictName(slow))
    },
    counts: () => ({ ...counts }),
    save() {
      const added = [...found.values()].filter((one) => one !== 'unsteady')
      if (added.length > 0) write?.([...kept.values(), ...added])
    },
    async judge(work, judge) {
      const { kind, task, signal } = work
      if (!keepsVerdicts(kind, task)) return await judge(work.run)
      const name = { kind, key: workKey(work) }
      // A name has the kind in it.
      const before = kept.get(verdictName(name)) as JudgedVerdict | undefined
      const known = before as unknown as Judgement<Results[typeof kind]> | undefined
      if (known && !(proved && isInPart(name.key, proved))) {
        counts.taken++
        return known
      }
      const watched = watchPrograms(work.run, work.steadyShare)
      const now = await judge(watched.run)
      if (signal.aborted) return now
      const { result, level } = now
      if (before && known) {
        const isSame = canonicalJson(before.result) === canonicalJson(result)
        if (!isSame || !watched.isSteady()) throw unproved(file, task, before, now.result, isSame)
        counts.taken++
        counts.proved++
        return known
      }
      counts.graded++
      if (level !== undefined && watched.isSteady()) note(found, { ...name, level, result } as JudgedVerdict)
      return now
    },
  }
}

type JudgedVerdict = Extract<Verdict, { result: unknown }>

/** Keeps a verdict, unless the same work had another one before. */
function note(found: Map<string, Verdict | 'unsteady'>, verdict: JudgedVerdict): void {
  const name = verdictName(verdict)
  const before = found.get(name) as JudgedVerdict | 'unsteady' | undefined
  const isSteady =
    before === undefined ||
    (before !== 'unsteady' && canonicalJson(before.result) === canonicalJson(verdict.result))
  found.set(name, isSteady ? (before ?? verdict) : 'unsteady')
}

/**
 * Whether verdicts of a task may be kept: its tests run by the harness and nothing else of the machine than Node and Python. The version
 * of a package, or of a program that a command starts, is not in the file.
 */
export function keepsVerdicts(kind: keyof Results, { spec }: Pick<Task, 'spec'>): boolean {
  if (!spec.requires.every((name) => name === 'node' || name === 'python3')) return false
  if (kind === 'check') return spec.checks !== undefined && spec.checks.runner !== 'command'
  const runs = spec.graders.filter((grader) => grader.kind === 'tests')
  return (
    runs.length > 0 &&
    runs.every(({ runner }) => runner !== 'command') &&
    !spec.graders.some((grader) => grader.kind === 'module' || grader.kind === 'rubric')
  )
}

const workKey = ({ task, files, answer, undelivered }: Work) =>
  digest({ work: judgedKey(task, files, answer), undelivered: undelivered ?? null })

const isInPart = (key: string, { part, of }: VerdictsPart) =>
  Number.parseInt(key.slice(0, 8), 16) % of === part - 1

/**
 * Wraps `run`, and tells whether another run would surely end as this one: no program ended by a limit or a signal, and none came near
 * its time, which another machine may exceed.
 */
function watchPrograms(run: SandboxRun, share = 1 / 2): { run: SandboxRun; isSteady(): boolean } {
  let steady = true
  return {
    run: async (command) => {
      const result = await run(command)
      const ends = [result, ...(result.peer ? [result.peer] : [])]
      if (result.timedOut || result.durationMs > command.timeoutMs * share) steady = false
      // The second program is ended when the first has ended.
      if (ends.some(({ ended }) => ended !== undefined) || result.killedBy !== null) steady = false
      return result
    },
    isSteady: () => steady,
  }
}

function unproved(
  file: string,
  { ref }: Task,
  before: JudgedVerdict,
  now: unknown,
  isSame: boolean,
): InfrastructureError {
  const what = isSame
    ? 'but a program met a limit or a signal, so that proves nothing; run it again on a quiet machine'
    : `but judging gives ${canonicalJson(now)}; make the file again with --update-verdicts`
  return new InfrastructureError(
    `${ref}: ${file} says of this work ${canonicalJson(before.result)}, ${what} (${verdictName(before).slice(0, 18)})`,
  )
}
