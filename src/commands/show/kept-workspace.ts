import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { branchOf } from '../../loop/work/kept-files.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { shellWord } from '../../text/shell-word.ts'

/** Says where a trial's workspace is kept and which command shows its changes; nothing if it is not kept. */
export function keptWorkspaceText(folder: string, record: TrialRecord): string {
  const place = join(folder, 'workspaces', record.trial)
  if (!existsSync(place)) return ''
  const repository = shellWord(join(place, 'repository'))
  return `\nworkspace: ${join(place, 'files')}\nchanges: git --git-dir=${repository} diff start ${branchOf(record)}\n`
}
