import { createRequire } from 'node:module'

/**
 * Loads a dependency at once, without a promise. For large packages that few commands need, in code that cannot wait: a static
 * import would load them at each start.
 */
export const loadPackage: (name: string) => unknown = createRequire(import.meta.url)
