import { meanOf } from '../numeric/moments.ts'
import { fTail } from '../numeric/tails.ts'

/**
 * Returns the p-value of a one-way analysis of variance: do the means of groups of values differ? Null with fewer than two
 * groups, no value beyond one for each, or no variation at all (R: oneway.test(var.equal = TRUE)).
 */
export function oneWayAnovaP(groups: readonly (readonly number[])[]): number | null {
  const filled = groups.filter((group) => group.length > 0)
  const all = filled.flat()
  const [between, within] = [filled.length - 1, all.length - filled.length]
  if (between < 1 || within < 1) return null
  const centre = meanOf(all)
  const means = filled.map((group) => meanOf(group))
  const explained = filled.reduce(
    (sum, group, at) => sum + group.length * ((means[at] as number) - centre) ** 2,
    0,
  )
  const rest = filled.reduce(
    (sum, group, at) =>
      sum + group.reduce((squares, value) => squares + (value - (means[at] as number)) ** 2, 0),
    0,
  )
  const noise = 1e-20 * all.length
  if (rest <= noise) return explained <= noise ? null : 0
  return fTail(explained / between / (rest / within), between, within)
}
