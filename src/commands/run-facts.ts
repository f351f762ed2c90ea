import { agentsLabel } from '../analysis/summarize.ts'
import { dataDigest } from '../loop/data-digest.ts'
import { allSteps } from '../loop/journal-index.ts'
import { readSessions } from '../loop/sessions.ts'
import type { RunFacts } from '../reports/comparison/facts.ts'
import { pricesText } from '../reports/prices-text.ts'
import { agentSetsOf } from '../schema/agent-set.ts'
import type { RunManifest } from '../schema/run.ts'

/** What a comparison's notes say of one of its runs. */
export function runFacts(folder: string, manifest: RunManifest, recorded: number): RunFacts {
  const { git, versions, prices, createdAt, trials } = manifest
  const whole = recorded >= trials
  return {
    run: folder,
    createdAt,
    bench: versions.bench,
    commit: git && `${git.commit}${git.dirty ? ' with changes' : ''}`,
    models: modelsOf(folder, manifest),
    prices: prices ? pricesText(prices) : null,
    data: dataDigest(folder),
    planned: trials,
    recorded,
    stoppedByLimit: !whole && readSessions(folder).at(-1)?.end?.reason === 'limit',
  }
}

/** What answered: of a simulation its profile, else the agents, with the models that their providers named. */
function modelsOf(folder: string, manifest: RunManifest): string[] {
  const asked = agentSetsOf(manifest)
    .map(({ agents }) => agentsLabel(agents))
    .join('; ')
  if (manifest.simulated) return [`${asked}${manifest.profile ? `, profile ${manifest.profile.id}` : ''}`]
  const told = new Map<string, Set<string>>()
  for (const step of allSteps(folder)) {
    if (step.kind !== 'ask') continue
    const models = told.get(step.agent) ?? new Set<string>()
    told.set(step.agent, models)
    if (step.model !== undefined) models.add(step.model)
  }
  const named = [...told].sort(([a], [b]) => (a < b ? -1 : 1))
  if (named.length === 0) return [asked]
  return named.map(([agent, models]) => {
    const version = manifest.agentVersions?.[agent]
    const known = [...models].sort().join(', ')
    return `${agent}${version ? ` ${version}` : ''}${known ? ` (answered as ${known})` : ''}`
  })
}
