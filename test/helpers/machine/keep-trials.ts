import { join } from 'node:path'
import { readRecords } from '../../../src/loop/record/records.ts'
import type { KeepWorkspaces } from '../../../src/schema/keep-workspaces.ts'
import type { Files } from '../../../src/schema/task.ts'
import type { FileEdit, StrategyResult } from '../../../src/strategy.ts'
import type { createRedactor } from '../../../src/text/redact.ts'
import { type Trials, workOff } from '../runs/session.ts'
import { agentOf, answerTask, strategyOf } from '../runs/trial.ts'
import { keptIn } from './kept-workspaces.ts'
import { tempFolder } from './temp.ts'

/** A task with files, all but those in `fixed/` editable; a trial passes where its answer is 42. */
export const taskWith = (files: Files) => answerTask({ editable: ['!fixed/**'] }, files)

export const handIn = (answer: string): StrategyResult => ({ stopReason: 'done', answer })

/** A strategy that makes these edits and hands in this answer. */
export const editing = (edits: readonly FileEdit[], answer = '41') =>
  strategyOf(async ({ workspace }) => {
    workspace.apply(edits)
    return handIn(answer)
  })

/** Runs trials and keeps their workspaces; returns the records, and the place of each kept workspace. */
export async function kept(
  change: Partial<Trials>,
  { keep = 'all', redact }: { keep?: KeepWorkspaces; redact?: ReturnType<typeof createRedactor> } = {},
) {
  const trials: Trials = {
    ...{ folder: tempFolder(), mode: 'dev', epochs: 1 },
    ...{ agent: agentOf(() => 'Answer: 42'), strategy: editing([]), ...change },
  }
  const { end, notes } = await workOff(trials, {}, { keepWorkspaces: keep, redact })
  const { folder } = trials
  const records = [...readRecords(folder)]
  const places = keptIn(folder).map((name) => join(folder, 'workspaces', name))
  const trial = records[0]?.trial ?? '-'
  const place = join(folder, 'workspaces', trial)
  const repository = join(place, 'repository')
  return {
    trials,
    folder,
    end,
    notes,
    records,
    places,
    place,
    repository,
    branch: `bench/${trial}`,
  }
}
