import { type ComparisonData, methodTasks } from '../../analysis/compare/rows.ts'
import {
  checkGateLimit,
  type GateLevels,
  type GateLimit,
  type GatePair,
  gateMeans,
  levelsOfWordings,
  worstAnswer,
} from '../../analysis/gates/check-limit.ts'
import { neededEvidence } from '../../analysis/gates/needed-evidence.ts'
import type { Refusal } from '../../analysis/refusal.ts'
import { blocksOfShard } from '../../loop/plan/block-order.ts'
import { resumeCommand } from '../../loop/record/in-blocks.ts'
import type { ComparisonFacts } from '../../reports/comparison/run-notes.ts'
import type { JudgedGate } from '../../reports/gates/gate-report.ts'
import { UserError } from '../../text/errors.ts'
import { clusterNames } from '../compare/compare-options.ts'
import { type ComparedSide, describeExcludedBounds, suiteOf } from '../compare/compared-side.ts'
import { refusalOf } from '../compare/read-sides.ts'

/** The two sides of a gate: what must pass, and what it is compared with. */
export interface GateSides {
  method: ComparedSide
  against: ComparedSide
  /** The labels of both, in this order, as they stand in `data`. */
  labels: readonly string[]
  /** The records of both sides alone. */
  data: ComparisonData
  facts: ComparisonFacts
}

/** Judges the limits of a pair. Throws `UserError` if a side has no records, or is a reference bound. */
export function judgePair(sides: GateSides, limits: readonly GateLimit[], levels: GateLevels): JudgedGate {
  const { method, against, labels, data, facts } = sides
  const pair = gatePair(sides)
  const { wordings = 1 } = facts
  const shared = levelsOfWordings(levels, wordings)
  const checks = limits.map((limit) => {
    const check = checkGateLimit(pair, limit, shared)
    return { ...check, needed: neededEvidence(pair, check, shared) }
  })
  const profiles = [method, against].flatMap(({ manifest: { profile } }) => profile?.id ?? [])
  return {
    ...{ method: labels[0] as string, against: labels[1] as string },
    runs: [...new Set([method.folder, against.folder])],
    answer: worstAnswer(checks.map(({ answer }) => answer)),
    checks,
    means: (['success', 'score', 'costUsd'] as const).map((measure) => gateMeans(pair, measure)),
    differing: facts.differing,
    served: facts.served ?? [],
    wordings,
    ...data.mix.kind(),
    faults: data.mix.faults(),
    profiles: [...new Set(profiles)],
  }
}

function gatePair({ method, against, labels, data, facts }: GateSides): GatePair {
  const withinRun = method.folder === against.folder
  const rows = [method, against].map((side, index) => {
    const label = labels[index] as string
    const found = data
      .rows()
      .filter((row) =>
        withinRun
          ? row.method === side.method && row.set === (side.set ?? null)
          : row.method === label && row.set === null,
      )
    const bounds = describeExcludedBounds(found)
    const [row] = found
    if (row && found.length === 1 && bounds === undefined) return { ...row, label }
    throw new UserError({
      where: label,
      what: bounds ?? (row ? 'has trials with several agents' : 'has no records yet'),
      fix: row ? 'Name another method.' : `Resume the run: ${resumeCommand(side.folder)}`,
    })
  })
  const planned = rows.map(({ cells }, index) => {
    const { manifest } = [method, against][index] as ComparedSide
    return new Set([...plannedTasks(manifest), ...cells.keys()])
  })
  // Two runs are compared on the tasks of both.
  const tasks = [...(planned[0] as Set<string>)].filter((task) => planned[1]?.has(task)).sort()
  const [ours, theirs] = rows.map((row, index) =>
    methodTasks(row, row.cells, tasks, ([method, against][index] as ComparedSide).manifest.epochs),
  )
  return {
    method: ours as GatePair['method'],
    against: theirs as GatePair['method'],
    tasks,
    suites: new Map(tasks.map((task) => [task, data.suites.get(task) ?? suiteOf(task)])),
    clusters: { ...clusterNames(against.manifest), ...clusterNames(method.manifest) },
    voided: voidedBy([method, against], facts),
  }
}

const plannedTasks = ({ tasks, seed, shard }: ComparedSide['manifest']) =>
  shard ? blocksOfShard({ tasks, seed }, shard) : tasks.map(({ ref }) => ref)

/** Returns why no limits hold: a stop rule of a run, or a look before its end. */
function voidedBy(sides: readonly ComparedSide[], { runs }: ComparisonFacts): Refusal | null {
  if (sides.some(({ manifest }) => manifest.comparison?.stop)) return 'stop-rule'
  return runs.map((facts) => refusalOf(facts)).find((refusal) => refusal !== null) ?? null
}
