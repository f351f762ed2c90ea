import { schemaVersion, type TrialRecord } from '../schema/ledger/record.ts'
import { sha256 } from '../text/canonical-json.ts'
import type { ForeignTrial } from './foreign-trial.ts'
import type { PlacedTrial } from './place-trials.ts'

/** What stands for a model that a source does not name. */
export const unknownModel = 'unknown model'

/** Returns the id of an imported trial, by what its source says: it is needed before rows and tasks have their names. */
export const importedTrialId = (
  format: string,
  label: string | undefined,
  { where, suite, task, epoch }: Pick<ForeignTrial, 'where' | 'suite' | 'task' | 'epoch'>,
): string => sha256(JSON.stringify([format, label, where, suite, task, epoch])).slice(0, 16)

/** Returns the record of an imported trial; undefined for one that was not run. `answer` packs a text. */
export function makeRecord(
  { row, ref, epoch, label, trial }: PlacedTrial,
  format: string,
  answer: (text: string) => string,
): TrialRecord | undefined {
  if (trial.state === 'not run') return undefined
  const { state, reason, limit, score, tokens, model } = trial
  const priced = trial.priced && 'costUsd' in trial.priced ? trial.priced : undefined
  const costUsd = priced?.costUsd ?? trial.costUsd
  const isGraded = state === 'passed' || state === 'failed'
  const value = score ?? (state === 'passed' ? 1 : 0)
  return {
    schemaVersion,
    trial: importedTrialId(format, label, trial),
    ...{ task: ref, suite: ref.slice(0, ref.indexOf('/')), method: row },
    ...{ agents: model ?? unknownModel, epoch, mode: 'live', simulated: false, imported: true },
    ...(priced && { costSource: priced.costSource === 'file' ? ('file' as const) : ('table' as const) }),
    profile: null,
    outcome: outcomeOf(state, reason, limit),
    claimed: null,
    ...(reason !== '' && { detail: reason }),
    passed: isGraded ? state === 'passed' : null,
    score: isGraded ? value : null,
    scores: isGraded ? [{ name: 'source', value, reason }] : [],
    ...(trial.answer !== undefined && { answer: answer(trial.answer) }),
    delivered: null,
    spent: {
      ...{ input: tokens.input ?? 0, output: tokens.output ?? 0, cached: tokens.cached ?? 0 },
      ...{ costUsd, calls: trial.calls ?? 0, checks: 0 },
      // A trial whose calls nobody counted counts as one of which nothing is known.
      unreportedTokens: tokens.input === null || tokens.output === null ? 1 : 0,
      unreportedCost: costUsd === null ? 1 : 0,
      ...(tokens.cached === null && { unreportedCached: 1 }),
      ...(priced?.listCostUsd !== undefined && { listCostUsd: priced.listCostUsd, unknownListCost: 0 }),
    },
    ...{ gradingCostUsd: null, iterations: 0, durationMs: trial.durationMs },
    fidelity: { status: 'undeclared' },
    wall: { startedAt: trial.startedAt ?? '', ms: trial.durationMs ?? 0 },
  }
}

function outcomeOf(
  state: PlacedTrial['trial']['state'],
  reason: string,
  limit: string | undefined,
): TrialRecord['outcome'] {
  if (state === 'error') return { status: 'error', reason }
  return limit === undefined ? { status: 'completed', reason: '' } : { status: 'limited', reason: limit }
}
