/** The name of its cluster for each task that has one. */
export type ClusterNames = Readonly<Record<string, string>>

/** The cluster of each task, as a number. Tasks of one cluster are alike (one repository, one template), so they are one unit. */
export type Clusters = readonly number[]

/**
 * Returns the clusters of tasks from the names that they state; a task without one is a cluster of its own. Null if tasks are
 * the units: no two share a cluster, or all do, and then nothing is known of other clusters.
 */
export function clustersOf(tasks: readonly string[], stated: ClusterNames): Clusters | null {
  const ids = new Map<string, number>()
  const clusters = tasks.map((task) => {
    const name = stated[task] === undefined ? `task ${task}` : `cluster ${stated[task]}`
    const id = ids.get(name) ?? ids.size
    ids.set(name, id)
    return id
  })
  return ids.size === tasks.length || ids.size === 1 ? null : clusters
}

/** Returns the number of units: of clusters, or of values without clusters. */
export function countUnits(values: readonly unknown[], clusters: Clusters | null): number {
  return clusters === null ? values.length : new Set(clusters).size
}

/**
 * Sums values over the tasks of each cluster. Sums are scaled so that their mean is the mean over the tasks, so a procedure
 * over independent tasks holds over clusters as it is (Miller 2024; with one task in each cluster nothing changes).
 */
export function clusterSums(values: readonly number[], clusters: Clusters | null): number[] {
  if (clusters === null) return [...values]
  const groups = clusterValues(values, clusters)
  const scale = groups.length / values.length
  return groups.map((group) => scale * group.reduce((sum, value) => sum + value, 0))
}

/** Returns the mean of the values of each cluster, which stays inside of their range. */
export function clusterMeans(values: readonly number[], clusters: Clusters | null): number[] {
  if (clusters === null) return [...values]
  return clusterValues(values, clusters).map(
    (group) => group.reduce((sum, value) => sum + value, 0) / group.length,
  )
}

function clusterValues(values: readonly number[], clusters: Clusters): number[][] {
  const groups = new Map<number, number[]>()
  for (const [index, value] of values.entries()) {
    const id = clusters[index] as number
    const group = groups.get(id) ?? []
    group.push(value)
    groups.set(id, group)
  }
  return [...groups.values()]
}
