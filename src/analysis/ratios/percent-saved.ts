/** Converts a ratio to the baseline into percent saved, 100 (1 - ratio); the limits swap. Below 0 it costs more. */
export function percentSaved(
  ratio: number | null,
  lower: number | null,
  upper: number | null,
): { saved: number | null; lower: number | null; upper: number | null } {
  return { saved: saved(ratio), lower: saved(upper), upper: saved(lower) }
}

function saved(ratio: number | null): number | null {
  return ratio === null ? null : 100 - 100 * ratio
}
