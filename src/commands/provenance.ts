import { packageVersion } from '../package-root.ts'
import type { RunManifest } from '../schema/run.ts'
import type { GitStates } from './git-state.ts'
import { harnessDigest } from './harness-digest.ts'

/** What made a run, as its run.json says. */
export function provenance(git: GitStates): Pick<RunManifest, 'versions' | 'git' | 'harness'> {
  const digests = harnessDigest()
  return {
    versions: {
      bench: packageVersion(),
      node: process.versions.node,
      platform: `${process.platform}-${process.arch}`,
    },
    git: git.here,
    harness: digests && { ...digests, ...(git.harness && { git: git.harness }) },
  }
}
