/** All that a stage depends on, through others too; itself only where stages wait for each other. */
export function upstream(name: string, dependsOn: (name: string) => readonly string[]): Set<string> {
  const found = new Set<string>()
  const open = [...dependsOn(name)]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    open.push(...dependsOn(next))
  }
  return found
}

/** Stages that wait for each other, the first of them at both ends; undefined where there are none. */
export function circleIn(
  names: readonly string[],
  dependsOn: (name: string) => readonly string[],
): string[] | undefined {
  const from = names.find((name) => upstream(name, dependsOn).has(name))
  if (from === undefined) return undefined
  const walk = (path: string[]): string[] | undefined => {
    for (const next of dependsOn(path.at(-1) ?? '')) {
      if (next === from) return [...path, next]
      const found = path.includes(next) ? undefined : walk([...path, next])
      if (found) return found
    }
    return undefined
  }
  return walk([from])
}

interface Ordered {
  stage: string
  after: readonly string[]
}

/** Stages by what can run side by side: each wave needs those before it, and within one the order is as listed. */
export function wavesOf<Stage extends Ordered>(stages: readonly Stage[]): Stage[][] {
  const waves: Stage[][] = []
  const done = new Set<string>()
  while (done.size < stages.length) {
    const ready = stages.filter(({ stage, after }) => !done.has(stage) && after.every((one) => done.has(one)))
    if (ready.length === 0) throw new Error('stages wait for each other')
    for (const { stage } of ready) done.add(stage)
    waves.push(ready)
  }
  return waves
}

/** Stages such that each stands after all that it depends on; as listed wherever that is so. */
export const inOrder = <Stage extends Ordered>(stages: readonly Stage[]): Stage[] => wavesOf(stages).flat()
