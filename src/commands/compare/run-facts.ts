import { agentsLabel } from '../../analysis/summarize.ts'
import { allSteps } from '../../loop/journal/ledger-index.ts'
import { readAmendments } from '../../loop/record/amendments.ts'
import { dataDigest } from '../../loop/record/records.ts'
import { readSessions } from '../../loop/record/sessions.ts'
import type { RunFacts } from '../../reports/comparison/run-notes.ts'
import { amendmentsText } from '../../reports/words/amendments-text.ts'
import { pricesText } from '../../reports/words/bill-text.ts'
import { counted, present } from '../../reports/words/numbers.ts'
import { originTexts } from '../../reports/words/origin-text.ts'
import { agentSetsOf } from '../../schema/agent/agent-set.ts'
import { modelsOfCall } from '../../schema/agent/other-model.ts'
import type { PastSession } from '../../schema/ledger/session.ts'
import type { RateLimits } from '../../schema/limits.ts'
import type { GitState, RunManifest } from '../../schema/run/run.ts'

/** Returns what a comparison's notes say about one run. `data` is the digest of its records. */
export function runFacts(
  folder: string,
  manifest: RunManifest,
  recorded: number,
  data = dataDigest(folder),
): RunFacts {
  const { prices, createdAt, trials } = manifest
  const whole = recorded >= trials
  const sessions = readSessions(folder)
  const alike = manifest.tasks.filter(({ like, cluster }) => like && !cluster).length
  const amended = amendmentsText(readAmendments(folder))
  return {
    run: folder,
    createdAt,
    ...sourceOf(manifest),
    timing: timingOf(manifest, sessions),
    models: modelsOf(folder, manifest),
    prices: prices ? pricesText(prices) : null,
    data,
    planned: trials,
    recorded,
    ...(amended !== null && { amended }),
    ...(alike > 0 && { alike }),
    stoppedByLimit: !whole && sessions.at(-1)?.end?.reason === 'limit',
  }
}

const commitText = ({ commit, dirty }: GitState) => `${commit}${dirty ? ' with changes' : ''}`

/** Names bench's version and code, and the checkout it was called in, unless both have the same commit. */
function sourceOf({ git, harness, versions }: RunManifest): Pick<RunFacts, 'bench' | 'calledIn'> {
  const own = harness?.git
  const code = own ? `commit ${commitText(own)}` : harness && `code sha256 ${harness.code.slice(0, 16)}`
  return {
    bench: `${versions.bench}${code ? `, ${code}` : ''}`,
    calledIn: git && git.commit !== own?.commit ? commitText(git) : null,
  }
}

/** Describes how times were measured: `on linux-x64, 8 x AMD EPYC, 4 trials in parallel, without waits for rate limits (openai: 5 calls in parallel)`. Sessions may differ. */
function timingOf(
  { mode, recorded, imported, versions, providers = {} }: RunManifest,
  sessions: readonly PastSession[],
): string | null {
  if (mode === 'dev' || recorded || imported) return null
  if (sessions.length === 0)
    return `on ${versions.platform}, number of processors and parallel trials unknown`
  const parallels = [...new Set(sessions.map(({ parallel }) => parallel))]
  const each = (of: (session: PastSession) => string) => [...new Set(sessions.map(of))].join(' and ')
  const limits = Object.entries(providers).flatMap(([provider, { limits }]) =>
    limits ? [`${provider}: ${rateText(limits)}`] : [],
  )
  return [
    `on ${versions.platform}`,
    each(({ machine = 'an unknown machine' }) => machine),
    `${parallels.join(' and ')} ${parallels.some((parallel) => parallel !== 1) ? 'trials' : 'trial'} in parallel`,
    `without waits for rate limits${limits.length > 0 ? ` (${limits.join('; ')})` : ''}`,
  ].join(', ')
}

function rateText({ concurrent, requestsPerMinute, tokensPerMinute }: RateLimits): string {
  return present([
    concurrent !== undefined && `${counted(concurrent, 'call')} in parallel`,
    requestsPerMinute !== undefined && `${counted(requestsPerMinute, 'call')} per minute`,
    tokensPerMinute !== undefined && `${counted(tokensPerMinute, 'token')} per minute`,
  ]).join(', ')
}

/** Returns what answered: the profile of a simulation, or each agent with the models that its provider reported. */
function modelsOf(folder: string, manifest: RunManifest): string[] {
  const asked = agentSetsOf(manifest)
    .map(({ agents }) => agentsLabel(agents))
    .join('; ')
  if (manifest.imported) return [`imported from ${manifest.imported.format}`]
  const origin = originTexts(manifest)
  if (origin.length > 0) return origin.map((text) => text.replace(/\.$/, ''))
  if (manifest.simulated) return [`${asked}${manifest.profile ? `, profile ${manifest.profile.id}` : ''}`]
  const modelsOfAgents = new Map<string, Set<string>>()
  for (const step of allSteps(folder)) {
    if (step.kind !== 'ask') continue
    const models = modelsOfAgents.get(step.agent) ?? new Set<string>()
    modelsOfAgents.set(step.agent, models)
    for (const model of modelsOfCall(step)) models.add(model)
  }
  const named = [...modelsOfAgents].sort(([a], [b]) => (a < b ? -1 : 1))
  if (named.length === 0) return [asked]
  return named.map(([agent, models]) => {
    const version = manifest.agentVersions?.[agent]
    const known = [...models].sort().join(', ')
    return `${agent}${version ? ` ${version}` : ''}${known ? ` (answered as ${known})` : ''}`
  })
}
