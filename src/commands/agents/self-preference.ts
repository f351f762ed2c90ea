import { kinshipOf } from '../../schema/agent/model-name.ts'
import type { SelectedAgents } from './select-agents.ts'

/** Returns a warning for each judge whose model, or one of its family, makes the work that it judges. */
export function selfPreferenceNotes({
  judges = [],
  agents,
  agentSets = [],
  methods,
}: Pick<SelectedAgents, 'judges' | 'agents' | 'agentSets' | 'methods'>): string[] {
  const inUse = [
    agents,
    ...agentSets.map((set) => set.agents),
    ...methods.map((method) => method.agents ?? {}),
  ]
  const names = [...new Set(inUse.flatMap((ofRoles) => Object.values(ofRoles)))]
  return judges.flatMap((judge) =>
    names.flatMap((agent) => {
      const kinship = kinshipOf(judge, agent)
      if (!kinship) return []
      const how = kinship === 'model' ? 'is the same model as' : 'is of the same model family as'
      return [`the judge ${judge} ${how} ${agent}, whose work it judges; models favour their own work`]
    }),
  )
}
