import { UserError } from '../../text/errors.ts'
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
import {
  type AgentOf,
  addsSteps,
  checkNeeds,
  checkSameIds,
  checkSteps,
  patternOf,
  workOf,
} from './check-steps.ts'
import { checkReference, countSteps, listSites, maxSteps, primitivesOf, type Site } from './list-sites.ts'

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

/** Reports mistakes of the run: its workflow, its placement, its input. `sites` are those of all workflows. */
export function checkRun(
  document: RawMap,
  sites: readonly Site[],
  lineOf: (path: readonly PropertyKey[]) => string,
  read: (path: string) => string | undefined,
  add: Add,
): void {
  const run = asMap(document.run)
  if (!run) return
  const workflows = primitivesOf(document, 'workflow')
  const names = Object.keys(workflows ?? {})
  checkReference(document, 'workflow', run.workflow_ref, ['run', 'workflow_ref'], add)
  const inlineId = asText(asMap(run.workflow)?.id)
  if (inlineId !== undefined && names.includes(inlineId))
    add(
      ['run', 'workflow', 'id'],
      `there is also a workflow "${inlineId}" under workflows`,
      'Rename one of them.',
    )
  if (run.workflow !== undefined && run.workflow_ref !== undefined)
    add(
      ['run', 'workflow'],
      `the run has a workflow here and a workflow_ref in line ${lineOf(['run', 'workflow_ref'])}`,
      'Remove one of them.',
    )
  if (run.workflow === undefined && run.workflow_ref === undefined && workflows)
    add(
      ['run'],
      'names no workflow',
      names.length > 0
        ? `Write workflow_ref: ${names.join(' or ')}.`
        : 'Write a workflow under workflows, and its name as workflow_ref.',
    )
  checkPlacement(document, sites, add)
  checkInputFile(asText(asMap(run.input)?.file), read, add)
}

function checkInputFile(
  file: string | undefined,
  read: (path: string) => string | undefined,
  add: Add,
): void {
  if (file === undefined || file === '') return
  const at = ['run', 'input', 'file']
  try {
    const text = read(file)
    if (text === undefined)
      add(at, `there is no file "${file}"`, 'Give the path of a text file, relative to the working folder.')
    else if (text === '') add(at, `the file "${file}" is empty`, 'Write what the steps read into it.')
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    for (const { what, fix } of error.problems)
      add(at, `the file "${file}" ${what}`, fix ?? 'Give the path of a text file.')
  }
}

function checkPlacement(document: RawMap, sites: readonly Site[], add: Add): void {
  const placement = asMap(asMap(document.run)?.placement)
  const path = ['run', 'placement']
  checkReference(document, 'provider', placement?.provider, [...path, 'provider'], add)
  // A slot of a pattern has the names of all that is around it, too.
  const names = new Set(sites.flatMap((site) => site.names))
  const isClear = sites.length > 0 && !sites.some(({ pattern }) => pattern === '?')
  const nested = new Map(
    sites.flatMap(({ id, names, inside }) => (id && inside ? [[id, names[0] ?? '']] : [])),
  )
  for (const [name, value] of Object.entries(asMap(placement?.steps) ?? {})) {
    const at = [...path, 'steps', name]
    const place = asMap(value)
    checkReference(document, 'provider', place?.provider, [...at, 'provider'], add)
    checkReference(document, 'agent', place?.agent, [...at, 'agent'], add)
    if (place && Object.keys(place).length === 0)
      add(at, 'names neither a provider nor an agent', 'Write provider: or agent:, or remove it.')
    const inner = nested.get(name)
    if (names.has(name) || isRound(name, sites) || !isClear) continue
    if (inner) add(at, `"${name}" is inside a pattern`, `Write ${inner}.`)
    else add(at, `there is no step "${name}"`, suggestName(name, [...names], 'Remove it.'))
  }
}

/** Whether a name is that of one round of a debater. */
function isRound(name: string, sites: readonly Site[]): boolean {
  const [, slot, round] = /^(.+)::r(\d+)$/.exec(name) ?? []
  return sites.some(({ names, inside }) => {
    if (names[0] !== slot || round !== String(Number(round)) || round === '0') return false
    const rounds = inside?.site.node.rounds
    if (inside?.slot === 'debaters') return Number(round) <= (typeof rounds === 'number' ? rounds : 2)
    return inside?.slot === 'boss' && round === '1'
  })
}
