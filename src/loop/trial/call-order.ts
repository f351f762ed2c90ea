import { valueAt } from '../../base/grouping.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import { effectKey, placesOf } from '../../schema/ledger/turn-key.ts'

/** An attempt of an ask, and where its branch was opened: a counter and a group per level under the root. */
export interface Asked {
  step: Pick<AskStep, 'key' | 'role' | 'error' | 'iteration'>
  branch: string
  openedAt: readonly number[]
  /** Of an ask of a stage: the stage's place among the effects of the branch that called it. */
  stageAt?: number | undefined
}

/** One item of a line: a role that was asked, with the label of that moment, or branches side by side. */
export type Item = { role: string; label?: AskStep['iteration'] } | { lines: Line[] }

/** The asks of one branch, in order. */
export interface Line {
  /** The branch's path; empty for the root. */
  path: string
  items: Item[]
  /** Whether its last ask failed for good: the branch may have ended there. */
  cut: boolean
}

/** Returns all asks of a trial in the order that the strategy wrote them, independent of clocks and races. */
export function lineOf(asked: readonly Asked[]): Line {
  // Only the last attempt of an ask counts, and of an ask with tools the last turn.
  const last = new Map(asked.map((one) => [effectKey(one.step.key), one]))
  return nested([...last.values()].sort(byPlace), 0, '')
}

function nested(asked: readonly Asked[], depth: number, path: string): Line {
  const items: Item[] = []
  let open: { name: string; branches: Map<string, Asked[]> } | undefined
  const close = () => {
    if (open)
      items.push({
        lines: [...open.branches].map(([name, branch]) =>
          nested(branch, depth + 1, path === '' ? name : `${path}/${name}`),
        ),
      })
    open = undefined
  }
  for (const one of asked) {
    const group = one.openedAt.slice(2 * depth, 2 * depth + 2).join('.')
    if (open?.name !== group) close()
    if (group === '') {
      items.push({ role: one.step.role, label: one.step.iteration })
      continue
    }
    open ??= { name: group, branches: new Map() }
    const branch = one.branch.split('/')[depth] ?? ''
    valueAt(open.branches, branch, () => []).push(one)
  }
  close()
  return { path, items, cut: asked.at(-1)?.step.error !== undefined }
}

function byPlace(a: Asked, b: Asked): number {
  const [left, right] = [placeOf(a), placeOf(b)]
  const at = left.findIndex((part, i) => part !== right[i])
  if (at < 0) return 0
  return (left[at] as number) < (right[at] as number) ? -1 : 1
}

/** Branches opened just before an ask come before that ask. */
const placeOf = ({ step, openedAt, stageAt }: Asked) => [
  ...openedAt,
  ...(stageAt === undefined ? [] : [stageAt]),
  placesOf(step.key)[0] as number,
  Number.POSITIVE_INFINITY,
]
