import { type Task, TaskSpec } from '../../schema/task.ts'

/** Returns a task with these fields of its specification, and nothing else of its own. */
export function taskFor(fields: Readonly<Record<string, unknown>>): Task {
  const spec = TaskSpec.parse({
    id: 'grade',
    version: 1,
    title: 'A reply',
    graders: [{ kind: 'pattern', require: ['.'] }],
    licence: 'none',
    source: 'bench grade',
    properties: {},
    ...fields,
  })
  return {
    ref: 'bench grade',
    suite: 'bench',
    spec,
    instruction: '',
    files: {},
    checks: {},
    hidden: { tests: {} },
    digest: '',
    origin: 'bench grade',
  }
}
