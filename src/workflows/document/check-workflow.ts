import {
  type Add,
  asList,
  asMap,
  asText,
  entryOf,
  type Path,
  type RawMap,
  suggestName,
} from '../../yaml/raw.ts'
import { checkNeeds, patternOf } from './check-needs.ts'
import { type AgentOf, addsSteps, checkSameIds, checkSteps, workOf } from './check-steps.ts'
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

/** Reports a workflow that hands in nothing, or whose `answer` names a step that does not give one. */
function checkResult(workflow: RawMap, path: Path, sites: readonly Site[], agentOf: AgentOf, add: Add): void {
  const works = sites.flatMap((site) => {
    if (site.pattern === '?') return [undefined]
    const does = agentOf(site)
    return site.pattern === undefined ? [does && workOf(does.agent)] : []
  })
  // A step whose agent is unclear may be the one that produces.
  const isClear = works.length > 0 && !works.includes(undefined)
  if (isClear && !works.includes('produce'))
    add(
      [...path, 'steps'],
      'no step has an agent with work: produce, so nothing would be handed in',
      'Set work: produce for one of the agents.',
    )
  const answer = asText(workflow.answer)
  if (answer !== undefined) checkAnswer(answer, [...path, 'answer'], sites, agentOf, add)
}

function checkAnswer(answer: string, path: Path, sites: readonly Site[], agentOf: AgentOf, add: Add): void {
  const top = sites.filter(({ inside }) => !inside)
  if (top.some(({ id }) => id === undefined)) return
  const site = top.find(({ id }) => id === answer)
  if (!site) {
    const byId = new Map(top.map((one) => [one.id ?? '', one]))
    const outer = patternOf(answer, byId)
    if (outer) add(path, `"${answer}" is inside the pattern "${outer}"`, `Write ${outer}.`)
    else add(path, `there is no step "${answer}"`, suggestName(answer, [...byId.keys()], 'Remove it.'))
  } else if (addsSteps(site.node)) {
    const what = `pattern "${answer}" adds steps at run time, so its last step is not known`
    add(path, what, 'Give it a finish, or remove the answer.')
  } else {
    const does = lastOf(site, sites)?.map(agentOf) ?? []
    const other = does.find((one) => one && workOf(one.agent) !== 'produce')
    if (other && does.every((one) => one))
      add(
        path,
        `the last step of "${answer}" is by agent "${other.id}", which has work: ${String(workOf(other.agent))}`,
        'Name a step of an agent with work: produce.',
      )
  }
}

/** Returns the steps of which one gives the answer of a node; undefined if they are unclear. */
function lastOf(site: Site, sites: readonly Site[]): Site[] | undefined {
  const inner = (slot: string) => sites.filter((one) => one.inside?.site === site && one.inside.slot === slot)
  switch (site.pattern) {
    case undefined:
      return [site]
    case 'linear':
      return last(inner('steps').at(-1), sites)
    case 'fork_join':
      return last(inner('join')[0], sites)
    case 'debate':
      return inner('judge')
    case 'referee': {
      const all = inner('candidates').map((candidate) => lastOf(candidate, sites))
      return all.every((one) => one !== undefined) ? all.flat() : undefined
    }
    case 'planner_executor':
    case 'hierarchical':
      return last(inner('finish')[0], sites)
    default:
      return undefined
  }
}

const last = (site: Site | undefined, sites: readonly Site[]) => site && lastOf(site, sites)
