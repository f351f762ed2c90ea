/** Returns the fields and items of data, each with what holds it. */
export function placesIn(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return []
  const map = value as Record<string, unknown>
  return Object.keys(map).flatMap((key): [Record<string, unknown>, string][] => [
    [map, key],
    ...placesIn(map[key]),
  ])
}
