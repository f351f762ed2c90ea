import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unifiedDiff } from '../../loop/branch/workspace.ts'
import type { FinishedTrial } from '../../loop/trial/grade-trial.ts'
import { dangerNotes, repositoryFiles } from '../../loop/work/kept-files.ts'
import { removeTree } from '../../sandbox/folders/remove-tree.ts'
import { ensureFolder, writeInside } from '../../sandbox/folders/write-inside.ts'

/** The list of the files that a trial wrote, which are in `files/`, and of those that it deleted. */
const changedFiles = 'changed-files.json'

/**
 * Writes the work of a free request's trial into `artifacts/<trial>/`, replacing an earlier version: answer, change set and
 * changed files. The method's outputs there stay. Returns warnings about files that are dangerous to work beside, since a model wrote them.
 */
export function saveArtifacts(folder: string, { record, branch }: FinishedTrial): string[] {
  const all = join(folder, 'artifacts')
  const target = join(all, record.trial)
  mkdirSync(all, { recursive: true })
  ensureFolder(target)
  for (const name of ['answer.md', 'changes.patch', changedFiles, 'files']) removeTree(join(target, name))
  const { state } = branch
  if (state.answer !== undefined) writeInside(target, 'answer.md', state.answer)
  writeInside(target, 'changes.patch', unifiedDiff(state))
  const files = [...state.changed].filter((file): file is [string, string] => file[1] !== null)
  const paths = files.map(([path]) => path)
  const leftOut = repositoryFiles(paths)
  const written = paths.filter((path) => !leftOut.includes(path))
  for (const [path, content] of files)
    if (written.includes(path)) writeInside(target, `files/${path}`, content)
  const deleted = [...state.changed].flatMap(([path, content]) => (content === null ? [path] : []))
  writeInside(target, changedFiles, `${JSON.stringify({ written, deleted }, null, 2)}\n`)
  return dangerNotes(`artifacts/${record.trial}/files`, leftOut, paths)
}

/** Returns the files that a free request's trial changed, by path; null is a deleted file. */
export function readChangedFiles(folder: string, trial: string): Record<string, string | null> {
  const target = join(folder, 'artifacts', trial)
  const { written, deleted } = JSON.parse(readFileSync(join(target, changedFiles), 'utf8')) as {
    written: string[]
    deleted: string[]
  }
  return Object.fromEntries([
    ...written.map((path) => [path, readFileSync(join(target, 'files', path), 'utf8')] as const),
    ...deleted.map((path) => [path, null] as const),
  ])
}
