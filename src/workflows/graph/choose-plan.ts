import type { GraphPlan } from '../../schema/graph/plan.ts'
import type { Documents } from '../../strategy.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import { findDocument } from '../document/read-document.ts'
import { type GraphFile, readGraphDocument } from '../document/read-graph.ts'
import { compilePlan } from './compile-plan.ts'

interface Named {
  file: string
  workflow: string | undefined
}

/** Divides `FILE#WORKFLOW`; without a workflow the document's `run` chooses. */
export function splitWorkflow(text: string): Named {
  const at = text.lastIndexOf('#')
  return at < 0
    ? { file: text, workflow: undefined }
    : { file: text.slice(0, at), workflow: text.slice(at + 1) }
}

/** Reads the document that `FILE`, `FILE#WORKFLOW`, or the name of a shipped one names, and makes its plan. Throws `UserError` with every problem. */
export function choosePlan(text: string, documents: Documents): GraphPlan {
  const { file, workflow } = splitWorkflow(text)
  const problems: Problem[] = []
  const found = findDocument(file, documents, { noun: 'document', file: 'graph document' })
  const other = otherDocument(found.text, found.path)
  if (other) throw new UserError(other)
  const around = { ...documents, read: (path: string) => documents.read(path, '.') }
  const read = readGraphDocument(found.text, found.path, problems, around)
  if (read && workflow !== undefined && !read.workflows.includes(workflow))
    problems.push(unknownWorkflow(text, workflow, read))
  if (!read || problems.length > 0) throw new UserError(problems)
  return compilePlan(read.document, workflow)
}

const unknownWorkflow = (text: string, workflow: string, { workflows }: GraphFile): Problem => ({
  where: `workflow ${text}`,
  what: `the document has no workflow "${workflow}"`,
  fix: didYouMean(workflow, workflows) ?? `Known: ${workflows.join(', ')}.`,
})

/** One of these fields stands in any graph document, even in one with mistakes. */
const fields = ['version', 'providers', 'tools', 'agents', 'tasks', 'workflows', 'run']

const isOnlyComments = (text: string) => !/^[ \t]*[^#\s]/m.test(text)

/**
 * Returns the problem of a file that is no graph document, but something that is easily taken for one: a workflow of
 * `collaboration`, or Markdown. One remedy helps more than the mistakes of all its fields.
 */
export function otherDocument(text: string, file: string): Problem | undefined {
  const has = (field: string) => new RegExp(`^(?:\\{|[ \\t]*")?["']?${field}["']?[ \\t]*:`, 'm').test(text)
  if (has('stages') && !has('tasks') && !has('run'))
    return {
      where: file,
      what: 'this is a workflow of collaboration: it has stages, and no tasks and no run',
      fix: `Run it with --methods collaboration:${file}, or give a graph document.`,
    }
  if (/\.(?:md|markdown)$/i.test(file) || (/^#+ \S/.test(text) && !isOnlyComments(text) && !fields.some(has)))
    return {
      where: file,
      what: 'looks like Markdown, not like a graph document',
      fix: 'Give a document in YAML or JSON; bench plan --schema prints its JSON Schema.',
    }
  return undefined
}
