const bounds: Readonly<Record<string, string>> = { oracle: 'upper bound', 'no-op': 'lower bound' }

/**
 * What a row is where its agents stand for an end of the scale, `upper bound` or `lower bound`; undefined for all others.
 * Bounds are no competitors: they are in no family, on no frontier and have no rank.
 */
export function boundOf(agents: string): string | undefined {
  return Object.hasOwn(bounds, agents) ? bounds[agents] : undefined
}
