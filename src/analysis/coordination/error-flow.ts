import type { Candidate } from '../../schema/ledger/record.ts'
import { createRows, type RecordSums, type RowName } from '../rows.ts'
import { agentsLabel } from '../summarize.ts'

/** Flow of right and wrong candidates through one method's agents. Counts are over graded trials. */
export interface MethodErrorFlow extends RowName {
  /** Graded trials with a candidate, and candidates with a grade. */
  trials: number
  candidates: number
  right: number
  /** Trials with a right candidate; of these, the trials with a wrong delivery. */
  withRight: number
  lost: number
  /** Trials without a right candidate, but with a right delivery that the method built without noting a candidate. */
  found: number
  /** Hand-offs: from one candidate to the next one made from it, or to a delivery that differs from it. */
  handOffs: number
  rightToWrong: number
  wrongToRight: number
  /** Candidates whose branch disagreed with the most frequent candidate of its peers, and those that then adopted it. */
  against: number
  conformed: number
}

/** Returns a builder that sums up right and wrong candidates by method and agents, in the order of `methods`. */
export function createErrorFlow(methods: readonly string[]): RecordSums<MethodErrorFlow[]> {
  const rows = createRows(emptyRow)
  return {
    add(record) {
      const { candidates, passed } = record
      if (!candidates || candidates.length === 0 || passed === null) return
      const row = rows.of(record.method, agentsLabel(record.agents), record.agentSet ?? null)
      addTrial(row, candidates, { passed, from: record.deliveredFrom, delivered: record.delivered ?? null })
    },
    result: () => rows.inOrderOf(methods),
  }
}

function emptyRow(method: string, agents: string, set: string | null): MethodErrorFlow {
  const counts = { trials: 0, candidates: 0, right: 0, withRight: 0, lost: 0, found: 0 }
  const flips = { handOffs: 0, rightToWrong: 0, wrongToRight: 0, against: 0, conformed: 0 }
  return { method, agents, set, ...counts, ...flips }
}

function addTrial(
  row: MethodErrorFlow,
  candidates: readonly Candidate[],
  delivery: { passed: boolean; from: string | undefined; delivered: string | null },
): void {
  const byKey = new Map(candidates.map((candidate) => [candidate.key, candidate]))
  const right = candidates.filter(({ passed }) => passed === true).length
  row.trials++
  row.candidates += candidates.filter(({ passed }) => passed !== null).length
  row.right += right
  if (right > 0) row.withRight++
  if (right > 0 && !delivery.passed) row.lost++
  if (right === 0 && delivery.passed) row.found++
  const last = delivery.from === undefined ? undefined : byKey.get(delivery.from)
  // An unchanged delivery is not a hand-off.
  const made = last?.delivered === delivery.delivered ? candidates : [...candidates, delivery]
  for (const { from, passed } of made) {
    const before = from === undefined ? null : (byKey.get(from)?.passed ?? null)
    if (before === null || passed === null) continue
    row.handOffs++
    if (before && !passed) row.rightToWrong++
    if (!before && passed) row.wrongToRight++
  }
  addConformity(row, candidates, byKey)
}

/**
 * Adds conformity: how often a branch whose candidate differed from the most frequent one of its peers adopts that one in
 * its next candidate. Peers are the last candidates of the other branches before that moment. Without a single most
 * frequent candidate nothing counts.
 */
function addConformity(
  row: MethodErrorFlow,
  candidates: readonly Candidate[],
  byKey: ReadonlyMap<string, Candidate>,
): void {
  for (const candidate of candidates) {
    const before = candidate.from === undefined ? undefined : byKey.get(candidate.from)
    if (!before) continue
    const peers = new Map<string, string | null>()
    for (const other of candidates)
      if (other.at < candidate.at && branchOf(other) !== branchOf(before))
        peers.set(branchOf(other), other.delivered)
    const most = mostFrequent([...peers.values()])
    if (most === undefined || before.delivered === most) continue
    row.against++
    if (candidate.delivered === most) row.conformed++
  }
}

const branchOf = ({ key }: Candidate) => key.replace(/[#!]\d+$/, '')

function mostFrequent(made: readonly (string | null)[]): string | null | undefined {
  const counts = new Map<string | null, number>()
  for (const one of made) counts.set(one, (counts.get(one) ?? 0) + 1)
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a)
  return first && first[1] >= 2 && first[1] > (second?.[1] ?? 0) ? first[0] : undefined
}
