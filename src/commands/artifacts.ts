import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FinishedTrial } from '../loop/grade-trial.ts'
import { unifiedDiff } from '../loop/workspace.ts'
import { removeTree } from '../sandbox/remove-tree.ts'
import { isOfVersionControl } from '../sandbox/version-control.ts'
import { writeInside } from '../sandbox/write-inside.ts'
import { obeyedFiles, repositoryHeads } from './obeyed-files.ts'

/**
 * Writes what a trial of a free request made into `artifacts/<trial>/`, anew: the answer, the change set, the changed files.
 * Gives what is to be told of them: they are a model's work, and somebody will look into that folder.
 */
export function saveArtifacts(folder: string, { record, branch }: FinishedTrial): string[] {
  const all = join(folder, 'artifacts')
  const target = join(all, record.trial)
  mkdirSync(all, { recursive: true })
  removeTree(target)
  const { state } = branch
  if (state.answer !== undefined) writeInside(target, 'answer.md', state.answer)
  writeInside(target, 'changes.patch', unifiedDiff(state))
  const files = [...state.changed].filter((file): file is [string, string] => file[1] !== null)
  const paths = files.map(([path]) => path)
  const leftOut = [...paths.filter(isOfVersionControl), ...repositoryHeads(paths)]
  for (const [path, content] of files)
    if (!leftOut.includes(path)) writeInside(target, `files/${path}`, content)
  return notesOn(`artifacts/${record.trial}/files`, leftOut, obeyedFiles(paths))
}

const mostNamed = 5

function notesOn(place: string, leftOut: readonly string[], obeyed: readonly string[]): string[] {
  const notes: string[] = []
  if (leftOut.length > 0)
    notes.push(
      `${place} lacks ${named(leftOut)}: with that, git would take the folder for a repository and start programs that its config names`,
    )
  if (obeyed.length > 0)
    notes.push(
      `${place} holds ${named(obeyed)}: tools obey such files without being asked. Read them before you work in that folder`,
    )
  return notes
}

const named = (paths: readonly string[]) =>
  paths.length > mostNamed
    ? `${paths.slice(0, mostNamed).join(', ')} and ${paths.length - mostNamed} more`
    : paths.join(', ')
