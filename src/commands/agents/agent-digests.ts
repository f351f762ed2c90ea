import { resolve } from 'node:path'
import { withoutLabel } from '../../agents/agent.ts'
import { digest } from '../../text/canonical-json.ts'
import { isPlainFile, readSources } from '../../user-code/read-sources.ts'

/**
 * Returns the SHA-256 of the module of each scripted agent, by the agent's name. It covers the files that the module imports by a
 * relative path. A module that is gone has none. `cwd` is the base of relative paths.
 */
export function agentDigests(names: Iterable<string>, cwd: string): Record<string, string> {
  const digests: Record<string, string> = {}
  for (const name of new Set(names)) {
    const file = moduleOf(name, cwd)
    if (file !== undefined && isPlainFile(file)) digests[name] = digest(readSources(file))
  }
  return digests
}

/** Whether a file imports others by a relative path, so that its digest covers them, too. */
export const importsFiles = (file: string) => isPlainFile(file) && Object.keys(readSources(file)).length > 1

/** Returns the file of a scripted agent's module; undefined for every other agent. */
export function moduleOf(name: string, cwd: string): string | undefined {
  const [kind, ...path] = withoutLabel(name).split(':')
  return kind === 'scripted' ? resolve(cwd, path.join(':')) : undefined
}
