/** CPU time of this process for a piece of work, in ms. Other processes of a busy machine do not count. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Less time than this is noise; ms. */
const floorMs = 4

/**
 * Returns how much more time a unit of size takes at the full size than at an eighth of it: about 1 for work in proportion to its
 * size, 8 for work that grows with its square. Of three measurements the shortest counts.
 */
export function growthOf(size: number, work: (size: number) => void): number {
  const least = (of: number) => Math.min(...[1, 2, 3].map(() => cpuMs(() => work(of))))
  return least(size) / 8 / Math.max(least(Math.ceil(size / 8)), floorMs)
}

/** The most that near linear work may grow, with room for noise. */
export const nearLinear = 4
