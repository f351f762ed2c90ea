import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { unifiedDiff } from '../../loop/files/workspace.ts'
import { dangerNotes, repositoryFiles } from '../../loop/keep/dangerous-files.ts'
import type { FinishedTrial } from '../../loop/trial/grade-trial.ts'
import { removeTree } from '../../sandbox/folders/remove-tree.ts'
import { ensureFolder, writeInside } from '../../sandbox/folders/write-inside.ts'

/**
 * Writes the work of a free request's trial into `artifacts/<trial>/`, replacing an earlier version: answer, change set and
 * changed files. The method's outputs there stay. Returns warnings about files that are dangerous to work beside, since a model wrote them.
 */
export function saveArtifacts(folder: string, { record, branch }: FinishedTrial): string[] {
  const all = join(folder, 'artifacts')
  const target = join(all, record.trial)
  mkdirSync(all, { recursive: true })
  ensureFolder(target)
  for (const name of ['answer.md', 'changes.patch', 'files']) removeTree(join(target, name))
  const { state } = branch
  if (state.answer !== undefined) writeInside(target, 'answer.md', state.answer)
  writeInside(target, 'changes.patch', unifiedDiff(state))
  const files = [...state.changed].filter((file): file is [string, string] => file[1] !== null)
  const paths = files.map(([path]) => path)
  const leftOut = repositoryFiles(paths)
  for (const [path, content] of files)
    if (!leftOut.includes(path)) writeInside(target, `files/${path}`, content)
  return dangerNotes(`artifacts/${record.trial}/files`, leftOut, paths)
}
