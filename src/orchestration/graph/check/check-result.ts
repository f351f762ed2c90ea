import { type Add, asText, type Path, type RawMap, suggestName } from '../../../yaml/raw.ts'
import { patternOf } from './check-needs.ts'
import { type AgentOf, addsSteps, workOf } from './check-steps.ts'
import type { Site } from './list-sites.ts'

/** Reports a workflow that hands in nothing, or whose `answer` names a step that does not give one. */
export function checkResult(
  workflow: RawMap,
  path: Path,
  sites: readonly Site[],
  agentOf: AgentOf,
  add: Add,
): void {
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
