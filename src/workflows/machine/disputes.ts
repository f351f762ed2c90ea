import type { MachineRun } from './machine-run.ts'
import type { StateInput } from './state-inputs.ts'
import type { Verdict } from './verdict.ts'

/** Two verdicts differ when their decisions do, or when their scores are this far apart. */
const farApart = 3

/** Returns the verdicts of a gate about all that it read. */
export const gateVerdicts = (
  state: string,
  inputs: readonly StateInput[],
  { decision, quality_score: score }: { decision: string; quality_score: number },
): Verdict[] =>
  inputs.map(({ path, version }) => ({ by: state, among: 'gates', path, version, decision, score }))

/** Returns the verdict of an auditor about each target: the mean over the criteria. */
export function auditVerdicts(
  { auditor: by, among }: { auditor: string; among: string },
  inputs: readonly StateInput[],
  scores: readonly { target: string; score: number }[],
): Verdict[] {
  return inputs.flatMap(({ path, version }) => {
    const own = scores.filter(({ target }) => target === path).map(({ score }) => score)
    if (own.length === 0) return []
    return [{ by, among, path, version, score: own.reduce((sum, one) => sum + one, 0) / own.length }]
  })
}

/** Returns how new verdicts differ from others about the same output, as a fact; undefined if they do not. */
export function findDispute(run: MachineRun): string | undefined {
  const { verdicts, comparedVerdicts: from } = run
  run.comparedVerdicts = verdicts.length
  const facts = verdicts.flatMap((later, place) =>
    place < from
      ? []
      : verdicts
          .slice(0, place)
          .filter((earlier) => differ(earlier, later))
          .map((earlier) => `${sayOf(earlier)} and ${sayOf(later)} about ${later.path}`),
  )
  return facts.length > 0 ? [...new Set(facts)].slice(0, 3).join('; ') : undefined
}

function differ(one: Verdict, other: Verdict): boolean {
  const isSame = one.among === other.among && one.path === other.path && one.version === other.version
  return isSame && (one.decision !== other.decision || Math.abs(one.score - other.score) >= farApart)
}

const sayOf = ({ by, decision, score }: Verdict) =>
  `${by} said ${decision === undefined ? '' : `${decision}, `}${Number(score.toFixed(1))} of 10`
