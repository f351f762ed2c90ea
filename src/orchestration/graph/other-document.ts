import type { Problem } from '../../text/errors.ts'

/** One of these fields stands in any graph document, even in one with mistakes. */
const fields = ['version', 'providers', 'tools', 'agents', 'tasks', 'workflows', 'run']

/** Whether a text has no line but comments. */
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
