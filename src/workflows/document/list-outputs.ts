import { asList, asMap, asText, type Path } from '../../yaml/raw.ts'
import { reachedFrom, type Site } from './list-states.ts'
import { matchesPath } from './path-pattern.ts'

/** A text that a state writes. */
export interface Output {
  site: Site
  /** The agent that writes it; undefined for a summary of `generate`. */
  agent: string | undefined
  /** Where it is written, and as the file says it, such as `drafts/{agent}.md`. */
  file: string
  written: string
  path: Path
}

/** Returns everything that states write, in the order of the file. */
export const listOutputs = (sites: readonly Site[]): Output[] => sites.flatMap(outputsOf)

function outputsOf(site: Site): Output[] {
  const written = asText(site.node.output)
  const own: Output[] =
    site.isAsking && written
      ? site.agents.map((agent) => ({
          ...{ site, agent, written },
          file: written.replaceAll('{agent}', agent),
          path: [...site.path, 'output'],
        }))
      : []
  const summaries = asList(site.node.on_enter).flatMap((action, i): Output[] => {
    const file = asText(asMap(action)?.generate)
    const path = [...site.path, 'on_enter', i, 'generate']
    return file ? [{ ...{ site, agent: undefined, file, written: file, path } }] : []
  })
  return [...summaries, ...own]
}

/** Returns the outputs that a path or pattern matches. */
export const matching = (pattern: string, outputs: readonly Output[]): Output[] =>
  outputs.filter(({ file }) => matchesPath(pattern, file))

/** Transitions after which the outputs of a visit may not be there. */
const failures = ['failure', 'all_failure']

/** Returns whether an output can be there when a state begins. */
export function canComeBefore({ site, agent }: Output, state: Site, sites: readonly Site[]): boolean {
  const edges = site.edges.filter(({ label }) => agent === undefined || !failures.includes(label))
  const isSummary = agent === undefined && site.name === state.name
  return (
    isSummary ||
    reachedFrom(
      edges.map(({ means }) => means),
      sites,
    ).has(state.name)
  )
}

/** Returns outputs as a person writes them in an input, each once. */
export const asInputs = (outputs: readonly Output[]): string[] => [
  ...new Set(outputs.map(({ written }) => written.replaceAll('{agent}', '*'))),
]
