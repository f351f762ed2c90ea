import { packageVersion } from '../package-root.ts'
import type { RunManifest } from '../schema/run.ts'
import { gitStates } from './git-state.ts'
import { harnessDigest } from './harness-digest.ts'

/** What made a run, as its run.json says. */
export async function provenance(): Promise<Pick<RunManifest, 'versions' | 'git' | 'harness'>> {
  const git = await gitStates()
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
