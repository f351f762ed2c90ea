import { asMap, type Path, type RawMap } from '../../../yaml/raw.ts'
import { orchestratorRole, type Site } from './list-states.ts'

/** Where a persona is named, and by what. */
interface NamedPersona {
  name: unknown
  path: Path
}

/** Where a persona is used: as the prompt of a state, or, without one, as a system prompt. */
export interface PersonaUse extends NamedPersona {
  site?: Site
}

/** Returns where a machine names personas. */
export function namedPersonas(machine: RawMap, sites: readonly Site[]): NamedPersona[] {
  return [...ownPersonas(machine), ...sites.map(ofState)].filter(
    ({ name }) => typeof name === 'string' && name !== '',
  )
}

interface OwnPersona extends NamedPersona {
  role: string
}

const ownPersonas = (machine: RawMap): OwnPersona[] => [
  { role: orchestratorRole, name: asMap(machine.orchestrator)?.persona, path: ['orchestrator', 'persona'] },
  ...Object.entries(asMap(machine.agents) ?? {}).map(([role, value]) => ({
    role,
    name: asMap(value)?.persona,
    path: ['agents', role, 'persona'],
  })),
]

const ofState = ({ node, path }: Site): NamedPersona => ({ name: node.persona, path: [...path, 'persona'] })

/**
 * Returns how a machine uses its personas. An agent's own is the prompt of each state that names none, else its system prompt; the
 * orchestrator's own is a system prompt when it decides, too.
 */
export function personaUses(machine: RawMap, sites: readonly Site[]): PersonaUse[] {
  const byStates = sites.map((site) => ({ ...ofState(site), site }))
  const own = ownPersonas(machine).flatMap(({ role, ...named }): PersonaUse[] => {
    const asked = sites.filter(({ isAsking, agents }) => isAsking && agents.includes(role))
    const prompts = asked.filter(({ node }) => node.persona === undefined)
    const isSystem = role === orchestratorRole || prompts.length < asked.length
    return [...prompts.map((site) => ({ ...named, site })), ...(isSystem ? [named] : [])]
  })
  return [...own, ...byStates].filter(({ name }) => typeof name === 'string' && name !== '')
}
