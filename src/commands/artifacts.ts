import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FinishedTrial } from '../loop/trial.ts'
import { unifiedDiff } from '../loop/workspace.ts'

/** Writes what a trial of a free request made into `artifacts/<trial>/`: the answer, the change set, the changed files. */
export function saveArtifacts(folder: string, { record, branch }: FinishedTrial): void {
  const target = join(folder, 'artifacts', record.trial)
  mkdirSync(target, { recursive: true })
  const { state } = branch
  if (state.answer !== undefined) writeFileSync(join(target, 'answer.md'), state.answer)
  writeFileSync(join(target, 'changes.patch'), unifiedDiff(state))
  for (const [path, content] of state.changed) {
    if (content === null) continue
    const file = join(target, 'files', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
