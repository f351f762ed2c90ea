import type { MachineRecord } from '../../schema/machine/machine-record.ts'

/** How far the auditors of one target agree. */
export interface Agreement {
  state: string
  visit: number
  target: string
  auditors: number
  /** Over all criteria and auditors. */
  mean: number
  /** Between the auditor who scores highest and the one who scores lowest, each by the mean over the criteria. */
  spread: number
}

/** Returns the agreement about each target that several auditors scored in one visit. */
export function agreementOf(scores: MachineRecord['scores']): Agreement[] {
  return groups(scores, ({ state, visit, target }) => `${state}\n${visit}\n${target}`).flatMap((all) => {
    const means = groups(all, ({ auditor }) => auditor).map(meanOf)
    const [first] = all
    if (!first || means.length < 2) return []
    const { state, visit, target } = first
    const spread = rounded(Math.max(...means) - Math.min(...means))
    return [{ state, visit, target, auditors: means.length, mean: rounded(meanOf(all)), spread }]
  })
}

function groups<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const found = new Map<string, Item[]>()
  for (const item of items) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item])
  return [...found.values()]
}

const meanOf = (scores: readonly { score: number }[]) =>
  scores.reduce((sum, { score }) => sum + score, 0) / scores.length

const rounded = (value: number) => Number(value.toFixed(2))
