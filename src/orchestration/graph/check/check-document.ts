import { asMap, type Path, type RawMap } from '../../../yaml/raw.ts'
import type { FieldProblem } from '../../../yaml/schema-problems.ts'
import { type AgentProblem, checkPrimitives } from './check-primitives.ts'
import { checkRun } from './check-run.ts'
import { checkWorkflow } from './check-workflow.ts'

/** What a check may look at besides the document. */
export interface Beside {
  /** Returns the text of a file; undefined if there is none. */
  read(path: string): string | undefined
  agentProblem: AgentProblem
  lineOf(path: Path): string
}

/**
 * Returns the mistakes of a document that its schema cannot see. It need not have passed the schema: whatever has a wrong type is
 * passed over, and so is what depends on it.
 */
export function checkDocument(document: RawMap, { read, agentProblem, lineOf }: Beside): FieldProblem[] {
  const problems: FieldProblem[] = []
  const add = (path: Path, what: string, fix?: string) => {
    problems.push({ path, what, ...(fix !== undefined && { fix }) })
  }
  checkPrimitives(document, add, agentProblem)
  const workflows: [unknown, Path][] = [
    ...Object.entries(asMap(document.workflows) ?? {}).map(([id, value]): [unknown, Path] => [
      value,
      ['workflows', id],
    ]),
    [asMap(document.run)?.workflow, ['run', 'workflow']],
  ]
  const sites = workflows.flatMap(([value, path]) => {
    const workflow = asMap(value)
    return workflow ? checkWorkflow(document, workflow, path, lineOf, add) : []
  })
  checkRun(document, sites, lineOf, read, add)
  return problems
}
