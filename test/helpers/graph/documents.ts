import type { GraphPlan } from '../../../src/schema/graph/plan.ts'
import { formatProblem, type Problem } from '../../../src/text/errors.ts'
import type { Surroundings } from '../../../src/workflows/document/read-document.ts'
import { type GraphFile, readGraphDocument } from '../../../src/workflows/document/read-graph.ts'
import { compilePlan } from '../../../src/workflows/graph/compile-plan.ts'

/** Agents `maker` (produce) and `critic` (judge), and a task of each: `make` and `judge`; and `plan`, which decides. */
const primitives = `
agents:
  maker: {}
  critic: { work: judge }
  chief: { work: decide }
tasks:
  make: { agent_ref: maker, prompt: Do the task. }
  judge: { agent_ref: critic, prompt: Judge the work. }
  plan: { agent_ref: chief, prompt: Plan the work. }
`

/** Returns a document with one workflow of these steps. */
export const documentOf = (
  steps: string,
  workflow = '',
  run = 'workflow_ref: main',
) => `version: "0.5"${primitives}
workflows:
  main: ${workflow ? `\n    ${workflow}` : ''}
    steps:
${steps.replace(/^/gm, '      ')}
run:
  ${run}
`

/** Returns all problems of a document, as bench prints them. */
export function problemsOf(
  text: string,
  around: Partial<Surroundings> = {},
  file = 'graph.yaml',
  show: (problem: Problem) => string = formatProblem,
): string[] {
  const problems: Problem[] = []
  const read = readGraphDocument(text, file, problems, { read: () => undefined, ...around })
  if (read && problems.length > 0) throw new Error('a document with problems was returned')
  return problems.map(show)
}

/** Reads a document that has no problems. */
export function read(text: string, around: Partial<Surroundings> = {}): GraphFile {
  const problems: Problem[] = []
  const file = readGraphDocument(text, 'graph.yaml', problems, { read: () => undefined, ...around })
  if (!file) throw new Error(problems.map(formatProblem).join('\n'))
  return file
}

export const planOf = (text: string, workflow?: string): GraphPlan =>
  compilePlan(read(text).document, workflow)

/** Returns each step of a plan as `id <- needs`. */
export const graphOf = (text: string): string[] =>
  planOf(text).steps.map(({ id, needs }) => (needs.length > 0 ? `${id} <- ${needs.join(', ')}` : id))
