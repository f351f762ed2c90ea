import { createHash } from 'node:crypto'
import { stringify } from 'yaml'
import { type Files, type Solution, type Task, TaskSpec } from '../schema/task.ts'
import { canonicalJson } from '../text/canonical-json.ts'
import type { Problem } from '../text/errors.ts'

/** Returns the files of a native task folder by path, or why a file cannot be written there. They load to a task with this content. */
export function taskTexts(task: Task): { texts: Files } | { problems: Problem[] } {
  const { spec, instruction, files, checks, hidden } = task
  const texts: Record<string, string> = {
    'task.yaml': stringify(withoutDefaults(spec), { lineWidth: 0 }),
    'instruction.md': `${instruction}\n`,
    ...below('files', files),
    ...below('checks', checks),
    ...below('tests', hidden.tests),
    ...below('solution', solutionFiles(hidden.solution)),
  }
  for (const [name, mutant] of Object.entries(hidden.mutants ?? {}))
    Object.assign(texts, below(`mutants/${name}`, solutionFiles(mutant)))
  const problems = Object.entries(texts).flatMap(([path, text]) => {
    const what = pathProblem(path) ?? textProblem(text)
    return what === undefined ? [] : [{ where: `${task.ref} ${path}`, what, fix: 'Leave this task out.' }]
  })
  return problems.length > 0 ? { problems } : { texts }
}

const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]))

const solutionFiles = ({ files, answer }: Solution = {}): Files =>
  answer === undefined ? (files ?? {}) : { 'answer.txt': `${answer}\n` }

function withoutDefaults(spec: TaskSpec): Partial<TaskSpec> {
  const { id, title, output, graders } = spec
  const usual: Readonly<Record<string, unknown>> = TaskSpec.parse({ id, title, output, graders })
  const kept = Object.entries(spec).filter(
    ([field, value]) =>
      ['id', 'title', 'output', 'graders'].includes(field) ||
      (value !== undefined && canonicalJson(value) !== canonicalJson(usual[field] ?? null)),
  )
  return Object.fromEntries(kept) as Partial<TaskSpec>
}

/** Paths come from data: one that leads out of its folder is never written. */
function pathProblem(path: string): string | undefined {
  const names = path.split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..') || /[\\\0:]/.test(path))
    return 'is not the path of a file in the folder of the task'
  return names.some((name) => Buffer.byteLength(name) > 255) ? 'has a name of more than 255 bytes' : undefined
}

const textProblem = (text: string): string | undefined =>
  /[\0\p{Cs}]/u.test(text) ? 'has a character that no text file can hold' : undefined

/** Longer names do not fit into the paths of some systems. */
const longest = 100
/** Names that Windows keeps for devices, with any ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Returns a folder name for each id, in order: the id itself where every file system can hold it beside the others, else one that is
 * changed at its end. Ids that differ only by case get different names.
 */
export function folderNames(ids: readonly string[]): string[] {
  const taken = new Set<string>()
  return ids.map((id) => {
    const name = freeName(fittingName(id), taken)
    taken.add(name.toLowerCase())
    return name
  })
}

function fittingName(id: string): string {
  const cut = id.length > longest ? `${id.slice(0, longest - 9)}-${shortDigest(id)}` : id
  const named = reserved.test(cut) ? `task-${cut}` : cut
  // Windows drops a dot at the end.
  return named.replace(/\.+$/, '') || 'task'
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name.toLowerCase())) return name
  for (let i = 2; ; i++) if (!taken.has(`${name}-${i}`.toLowerCase())) return `${name}-${i}`
}

const shortDigest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)
