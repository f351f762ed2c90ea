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
  /** Adds steps behind this one when it has ended. They may depend on it, on what it depends on, and on each other; those in `before` wait for them. */
  expand?(value: Value): { steps: readonly GraphStep<Context, Value>[]; before?: readonly string[] }
}

/** How a graph runs. */
export interface GraphOptions {
  /** Most steps that run at the same time, at least 1; 4 by default. */
  concurrency?: number
  /**
   * What happens when two steps changed one file and neither depends on the other. `fail`, the default: an error. `last`: the
   * later in plan order counts. `merge`: both count, line by line; overlapping changes are an error.
   */
  conflict?: 'fail' | 'last' | 'merge'
}
