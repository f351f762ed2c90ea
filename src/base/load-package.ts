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

/** Returns what is wrong with an optional peer of bench that is not installed, and the command that installs it; undefined if it is. */
export function missingPeer(name: string): { what: string; fix: string } | undefined {
  try {
    load.resolve(name)
    return undefined
  } catch {
    return noPeer(name)
  }
}

/** Says that an optional peer of bench cannot be loaded, as a phrase about who needs it. */
export function noPeer(name: string): { what: string; fix: string } {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8')
  const { peerDependencies } = JSON.parse(text) as { peerDependencies: Record<string, string> }
  return {
    what: `needs the package ${name}, which is not installed, or not for this machine`,
    fix: `Install it beside bench: npm install ${name}@${peerDependencies[name]} (with --global if bench is global).`,
  }
}
