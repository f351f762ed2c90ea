import { isObject } from '../../text/is-object.ts'

/** Returns, by place, the known issue of examples whose input stands in the file again with another target. */
export function contraryInputs(examples: readonly unknown[]): Map<number, string> {
  const places = new Map<unknown, number[]>()
  for (const [i, example] of examples.entries()) {
    if (!isObject(example)) continue
    const { input } = example
    places.set(input, [...(places.get(input) ?? []), i])
  }
  const issues = new Map<number, string>()
  for (const same of places.values()) {
    const targets = new Set(same.map((i) => (examples[i] as { target?: unknown }).target))
    if (targets.size < 2) continue
    for (const i of same) {
      const others = same.filter((other) => other !== i).map((other) => other + 1)
      issues.set(i, `its input stands in example ${others.join(', ')} too, with another target`)
    }
  }
  return issues
}
