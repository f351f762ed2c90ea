import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'

const load = createRequire(import.meta.url)

/**
 * Loads a dependency at once, without a promise. For large packages that few commands need, in code that cannot wait: a static
 * import would load them at each start.
 */
export const loadPackage: (name: string) => unknown = load

/** An optional peer of the package that is not installed, as a phrase about who needs it, and the command that installs it. */
interface MissingPeer {
  what: string
  fix: string
}

/** Returns what is wrong with an optional peer that is not installed; undefined if it is. */
export function missingPeer(name: string): MissingPeer | undefined {
  try {
    load.resolve(name)
    return undefined
  } catch {
    return noPeer(name, [name])
  }
}

/**
 * Loads optional peers of the package, which its user installs for few commands. If one is missing it throws what `refuse` makes of the
 * problem: where it is needed, what is missing, and the command that installs all of them in the versions that are tested.
 */
export function loadPeers(
  names: readonly string[],
  where: string,
  refuse: (problem: MissingPeer & { where: string }) => Error,
): unknown[] {
  return names.map((name) => {
    try {
      return load(name)
    } catch (error) {
      if (!['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error
      throw refuse({ where, ...noPeer(name, names) })
    }
  })
}

function noPeer(name: string, all: readonly string[]): MissingPeer {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8')
  const { peerDependencies } = JSON.parse(text) as { peerDependencies: Record<string, string> }
  const versions = all.map((one) => `${one}@${peerDependencies[one]}`).join(' ')
  return {
    what: `needs the package ${name}, which is not installed, or not for this machine`,
    fix: `Install it beside bench: npm install ${versions} (with --global if bench is global).`,
  }
}
