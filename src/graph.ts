/** How a step of a graph ended. `skipped`: it never began, because a step that it depends on failed or was skipped. */
export type StepResult<Value = unknown> =
  | { status: 'done'; value: Value }
  | { status: 'failed'; error: unknown }
  | { status: 'skipped' }

/** A step of a graph. */
export interface GraphStep<Context, Value = unknown> {
  /** Unique in its graph. Of several steps that may begin, the one with the smallest id begins first. */
  id: string
  /** Ids of the steps that it depends on. They must be before it in the list. */
  after: readonly string[]
  /**
   * Does the step's work in its own branch, whose files, clock and bill begin with those of all steps that it depends on.
   * `inputs` holds the results of the steps in `after`.
   */
  run(context: Context, inputs: ReadonlyMap<string, StepResult<Value>>): Promise<Value>
  /**
   * What an `AgentError` of the step means. `fail`, the default: no further step begins, and `graph` throws it. `skip`: the
   * steps that depend on it are skipped. `continue`: they run, with `failed` among their inputs.
   */
  onFailure?: 'fail' | 'skip' | 'continue'
  /** The policy for joining the steps that this one depends on; the graph's by default. */
  conflict?: ConflictPolicy
  /** The patterns that the step is part of, outermost first. They only say what trace events are written. */
  part?: readonly GraphPart[]
  /**
   * Adds steps behind this one when it has ended. They may depend on it, on what it depends on, and on each other. Those in
   * `before`, which must depend on this step and not have begun, wait for them.
   */
  expand?(value: Value): { steps: readonly GraphStep<Context, Value>[]; before?: readonly string[] }
}

/**
 * What happens where two steps changed one file, and neither depends on the other. `fail`: the step behind them fails, or the
 * graph, where they meet at its end. `last`: the later in plan order counts. `merge`: both count, line by line, and overlapping
 * changes are a failure. For steps behind one that has joined both, it is no conflict any more.
 */
export type ConflictPolicy = 'fail' | 'last' | 'merge'

/** The part that a step has in a pattern: it begins a turn, or joins what others did. */
export interface GraphPart {
  /** Id of the pattern, unique in its graph. */
  pattern: string
  kind: string
  /** The turn of the pattern, from 1. */
  turn?: number
  /** It joins the pattern's branches. */
  joins?: true
}

/** How a graph runs. */
export interface GraphOptions {
  /** Most steps that run at the same time, at least 1; 4 by default. */
  concurrency?: number
  /** For steps that state no policy of their own, and for what meets at the graph's end; `fail` by default. */
  conflict?: ConflictPolicy
}
