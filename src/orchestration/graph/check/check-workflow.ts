import { type Add, asList, asMap, asText, entryOf, type Path, type RawMap } from '../../../yaml/raw.ts'
import { checkNeeds } from './check-needs.ts'
import { checkResult } from './check-result.ts'
import { type AgentOf, checkSameIds, checkSteps } from './check-steps.ts'
import { listSites, type Site } from './list-sites.ts'
import { countSteps, maxSteps } from './step-counts.ts'

/** Reports mistakes of a workflow. Returns its steps and patterns. */
export function checkWorkflow(
  document: RawMap,
  workflow: RawMap,
  path: Path,
  lineOf: (path: Path) => string,
  add: Add,
): Site[] {
  const sites = listSites(workflow, path)
  const count = countSteps(sites)
  if (count > maxSteps)
    add([...path, 'steps'], `can become ${count} steps, and the limit is ${maxSteps}`, 'Divide the workflow.')
  const agentOf = agentsOf(document)
  checkSteps(document, sites, agentOf, add)
  checkSameIds(asList(workflow.steps), [...path, 'steps'], lineOf, add)
  for (const { node, pattern, path: at } of sites) {
    if (pattern === 'linear') checkSameIds(asList(node.steps), [...at, 'steps'], lineOf, add)
    if (pattern !== 'fork_join') continue
    for (const [name, chain] of Object.entries(asMap(node.branches) ?? {}))
      checkSameIds(asList(chain), [...at, 'branches', name], lineOf, add)
  }
  checkNeeds(workflow, path, sites, lineOf, add)
  checkResult(workflow, path, sites, agentOf, add)
  return sites
}

/** Returns who does a step: the agent that the run places there, that the step names, or that its task names. */
function agentsOf(document: RawMap): AgentOf {
  const placement = asMap(asMap(asMap(document.run)?.placement)?.steps)
  return ({ node, names }) => {
    const placed = names.map((name) => entryOf(placement, name)?.agent).find((agent) => agent !== undefined)
    const task = entryOf(asMap(document.tasks), asText(node.task))
    const id = asText(placed ?? node.agent ?? task?.agent_ref)
    const agent = entryOf(asMap(document.agents), id)
    return id !== undefined && agent ? { id, agent } : undefined
  }
}
