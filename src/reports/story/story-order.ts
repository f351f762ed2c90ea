import type { Step } from '../../schema/ledger/step.ts'
import { comparePlaces } from '../../schema/ledger/turn-key.ts'

/** A step with its place in a story. */
export interface PlacedStep {
  step: Step
  /** Path of its branch; empty for the root, `grade` for grading. */
  branch: string
  /** Whether a later divergence voided it. A voided step no longer answers, but stays in the bill of the run. */
  voided: boolean
}

/**
 * Orders steps by the clocks of their branches, so that parallel branches interleave as they ran. Within a branch the places and
 * the attempt decide; at equal times steps without a duration come first, then the branch name decides. `steps` are in the order
 * of steps.jsonl: a void applies only to earlier lines.
 */
export function orderSteps(steps: readonly Step[]): PlacedStep[] {
  const lastVoid = new Map<string, number>()
  steps.forEach((step, line) => {
    if (step.kind === 'void') for (const key of step.keys) lastVoid.set(key, line)
  })
  // A void names steps by `key/attempt`; a bare key means all its attempts.
  const voidedUntil = ({ key, attempt }: Step) =>
    Math.max(lastVoid.get(key) ?? -1, lastVoid.get(`${key}/${attempt}`) ?? -1)
  const branches = new Map<string, (PlacedStep & { line: number })[]>()
  steps.forEach((step, line) => {
    const cut = step.key.lastIndexOf('#')
    const branch = cut < 0 ? step.key : step.key.slice(0, cut)
    const voided = step.kind !== 'void' && (step.payer === 'void' || line < voidedUntil(step))
    const placed = { step, branch, voided, line }
    const queue = branches.get(branch)
    if (queue) queue.push(placed)
    else branches.set(branch, [placed])
  })
  const queues = [...branches.values()].map((queue) =>
    queue.sort(
      (a, b) => comparePlaces(a.step.key, b.step.key) || a.step.attempt - b.step.attempt || a.line - b.line,
    ),
  )
  const story: PlacedStep[] = []
  for (;;) {
    const heads = queues.flatMap((queue) => queue.slice(0, 1))
    const next = heads.sort((a, b) => compare(a, b))[0]
    if (!next) return story
    queues.find((queue) => queue[0] === next)?.shift()
    story.push({ step: next.step, branch: next.branch, voided: next.voided })
  }
}

function compare(a: PlacedStep, b: PlacedStep): number {
  return moment(a) - moment(b) || rank(a) - rank(b) || (a.branch < b.branch ? -1 : 1)
}

// A `first` is placed at the end of its winner, a step of a graph and a stage at their ends; all others at their beginning.
function moment({ step }: PlacedStep): number {
  return isPlacedAtEnd(step) ? step.at + step.durationMs : step.at
}

const isPlacedAtEnd = ({ kind }: Step) => kind === 'first' || kind === 'graph' || kind === 'stage'

function rank({ step }: PlacedStep): number {
  if (step.kind === 'grade') return 3
  if (isPlacedAtEnd(step)) return 1
  return step.durationMs === 0 ? 0 : 2
}
