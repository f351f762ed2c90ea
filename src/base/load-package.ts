import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'

/**
 * Loads a dependency at once, without a promise. For large packages that few commands need, in code that cannot wait: a static
 * import would load them at each start.
 */
export const loadPackage: (name: string) => unknown = createRequire(import.meta.url)

/**
 * Loads optional peers of the package, which its user installs for few commands. If one is missing it throws what `refuse` makes of the
 * problem: where it is needed, what is missing, and the command that installs all of them in the versions that are tested.
 */
export function loadPeers(
  names: readonly string[],
  where: string,
  refuse: (problem: { where: string; what: string; fix: string }) => Error,
): unknown[] {
  return names.map((name) => {
    try {
      return loadPackage(name)
    } catch (error) {
      if (!['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error
      const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8')
      const { peerDependencies } = JSON.parse(text) as { peerDependencies: Record<string, string> }
      const versions = names.map((one) => `${one}@${peerDependencies[one]}`).join(' ')
      throw refuse({
        where,
        what: `needs the package ${name}, which is not installed, or not for this machine`,
        fix: `Install it beside bench: npm install ${versions} (with --global if bench is global).`,
      })
    }
  })
}
