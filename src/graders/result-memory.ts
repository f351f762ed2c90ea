import type { SandboxLevel } from '../schema/sandbox-level.ts'
import type { Files, Task } from '../schema/task.ts'
import type { CheckResult } from '../strategy.ts'
import { digest, sha256 } from '../text/canonical-json.ts'
import type { GradeResult } from './grade.ts'
import { finalFiles } from './grader.ts'

interface Remembered<Result> {
  result: Result
  level: SandboxLevel | undefined
}

/**
 * Results of graders and checks by the work they judged, so that equal work runs once. Only for simulations that plan a run: they
 * hand in the same few files hundreds of times. A run that is reported runs its graders for every trial.
 */
export interface ResultMemory {
  grades: Map<string, Promise<Remembered<GradeResult>>>
  checks: Map<string, Promise<Remembered<CheckResult>>>
}

export const createResultMemory = (): ResultMemory => ({ grades: new Map(), checks: new Map() })

/** Returns the key of what is judged: the task, the files that count, and the answer where the task wants one. */
export function judgedKey(task: Task, files: Files, answer: string | undefined): string {
  const judged = finalFiles(task, files)
  const changed = Object.keys({ ...task.files, ...judged })
    .filter((path) => judged[path] !== task.files[path])
    .map((path) => [path, judged[path] === undefined ? null : sha256(judged[path])])
  return digest({
    task: task.digest,
    files: Object.fromEntries(changed),
    answer: task.spec.output === 'answer' ? (answer ?? null) : null,
  })
}

/** Returns the remembered result of a key, or runs `judge` and remembers what it gives. A failure is not remembered. */
export function remember<Result>(
  known: Map<string, Promise<Remembered<Result>>>,
  key: string,
  judge: () => Promise<Remembered<Result>>,
): Promise<Remembered<Result>> {
  const before = known.get(key)
  if (before) return before
  const judged = judge()
  known.set(key, judged)
  judged.catch(() => known.delete(key))
  return judged
}
