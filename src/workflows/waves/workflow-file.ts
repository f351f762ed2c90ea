import type { Flow } from '../../schema/method/declaration.ts'
import {
  LenientWorkflowFile,
  userRequest,
  type Workflow,
  WorkflowFile,
} from '../../schema/method/workflow.ts'
import { sha256 } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import { readYaml, type YamlFile } from '../../yaml/read-fields.ts'
import { findCycles, reachable } from '../document/names.ts'

/** Reads a workflow. Returns undefined if it has problems, and adds each of them with file, line and remedy. */
export function readWorkflow(text: string, file: string, problems: Problem[]): Workflow | undefined {
  const before = problems.length
  const read = readYaml(text, file, WorkflowFile, problems, {
    stages: 'Write a list of stages.',
    agents: 'Write the agents by their names.',
  })
  if (!read) {
    problems.push(...furtherProblems(text, file, problems.slice(before)))
    return undefined
  }
  const found = problemsOf(read)
  problems.push(...found)
  if (found.length > 0) return undefined
  const { name, agents, stages } = read.data
  return {
    name,
    digest: sha256(text),
    agents,
    stages: inOrder(
      stages.map((stage) => {
        const after = stage.depends_on.filter((one) => one !== userRequest)
        const toward = stage.can_iterate === true ? after[0] : stage.can_iterate
        const iterates = toward ? { iterates: { toward, most: stage.max_iterations ?? 1 } } : {}
        return { stage: stage.stage, agent: stage.agent, after, ...iterates }
      }),
    ),
  }
}

type Stage = WorkflowFile['stages'][number]

/** Returns problems other than fields of a wrong type, as far as those fields do not cause them. */
function furtherProblems(text: string, file: string, found: readonly Problem[]): Problem[] {
  const rough = readYaml(text, file, LenientWorkflowFile, [])
  if (!rough) return []
  const isFlowUnclear = found.some(({ where }) => /\.(stage|agent|depends_on|provides)\b/.test(where ?? ''))
  return problemsOf(rough, isFlowUnclear).filter(({ where }) => !found.some((one) => one.where === where))
}

function problemsOf({ data, where }: YamlFile<WorkflowFile>, isFlowUnclear = false): Problem[] {
  const { agents, stages } = data
  const names = stages.map(({ stage }) => stage)
  // Of two stages with the same name, the first one counts.
  const known = new Map(stages.toReversed().map((stage) => [stage.stage, stage]))
  const needs = (name: string) => known.get(name)?.depends_on ?? []
  const before = ({ stage }: Stage) => reachable(needs(stage), needs)
  const problems: Problem[] = []
  stages.forEach((stage, i) => {
    const at = (...field: PropertyKey[]) => where('stages', i, ...field)
    const add = (address: string, what: string, fix: string) => problems.push({ where: address, what, fix })
    if (stage.stage === userRequest)
      add(at('stage'), 'this is the name of the request itself', 'Rename the stage.')
    if (names.indexOf(stage.stage) < i)
      add(at('stage'), `there are two stages "${stage.stage}"`, 'Rename one of them.')
    const agent = Object.hasOwn(agents, stage.agent) ? agents[stage.agent] : undefined
    if (!agent)
      add(at('agent'), `there is no agent "${stage.agent}"`, suggestion(stage.agent, Object.keys(agents)))
    stage.depends_on.forEach((one, j) => {
      if (one === stage.stage) add(at('depends_on', j), 'the stage depends on itself', 'Leave it out.')
      else if (one !== userRequest && !known.has(one) && !isFlowUnclear)
        add(
          at('depends_on', j),
          `there is no stage "${one}"`,
          suggestion(one, [...known.keys(), userRequest]),
        )
    })
    for (const need of isFlowUnclear ? [] : (agent?.needs ?? [])) {
      const isLater = (one: Stage) => before(one).has(stage.stage) && !before(stage).has(one.stage)
      const givers = stages.filter((one) => one !== stage && !isLater(one) && gives(one, need, agents))
      if (need === userRequest || givers.some((one) => stage.depends_on.includes(one.stage))) continue
      const [giver] = givers
      if (giver)
        add(
          at('depends_on'),
          `stage "${stage.stage}" needs ${need} of stage "${giver.stage}" but does not depend on it`,
          `Add ${giver.stage} to depends_on.`,
        )
      else
        add(
          where('agents', stage.agent, 'needs', agent?.needs.indexOf(need) ?? 0),
          `stage "${stage.stage}" needs ${need}, which no earlier stage provides`,
          'Move it to optional_needs, or let an earlier stage provide it.',
        )
    }
    if (!isFlowUnclear)
      problems.push(...iterationProblems(stage, agent?.output_format, before(stage), known, at))
  })
  const [circle] = findCycles(names, (name) => needs(name).filter((one) => one !== name))
  if (circle)
    problems.push({
      where: where('stages', names.indexOf(circle[0] ?? ''), 'depends_on'),
      what: `stages wait for each other: ${circle.join(' -> ')}`,
      fix: 'Remove one of them from a depends_on.',
    })
  if (!stages.some(({ agent }) => agents[agent]?.work === 'produce'))
    problems.push({
      where: where('stages'),
      what: 'no stage has an agent with work: produce, so nothing would be handed in',
      fix: 'Set work: produce for one of the agents.',
    })
  return problems
}

const gives = ({ stage, agent }: Stage, need: string, agents: WorkflowFile['agents']) =>
  stage === need || (Object.hasOwn(agents, agent) && agents[agent]?.provides.includes(need))

function iterationProblems(
  stage: Stage,
  format: string | undefined,
  before: ReadonlySet<string>,
  known: ReadonlyMap<string, Stage>,
  at: (...field: PropertyKey[]) => string,
): Problem[] {
  const { can_iterate: target } = stage
  const where = at('can_iterate')
  if (target === false)
    return stage.max_iterations === undefined
      ? []
      : [
          {
            where: at('max_iterations'),
            what: 'max_iterations is set, but can_iterate is not',
            fix: 'Set can_iterate, or leave it out.',
          },
        ]
  const earlier = [...before].filter((one) => one !== stage.stage && known.has(one))
  const fix =
    earlier.length > 0 ? `Write one of ${earlier.join(', ')}.` : 'Leave it out, or add a stage to depends_on.'
  const problems: Problem[] = []
  if (format === 'plain')
    problems.push({
      where,
      what: 'a hand-off in plain text cannot request changes',
      fix: 'Give its agent another output_format.',
    })
  if (target === true)
    return earlier.length > 0
      ? problems
      : [...problems, { where, what: 'the stage depends on no other stage', fix }]
  if (!known.has(target)) problems.push({ where, what: `there is no stage "${target}"`, fix })
  else if (!earlier.includes(target))
    problems.push({ where, what: `the stage does not depend on "${target}"`, fix })
  return problems
}

const suggestion = (word: string, names: readonly string[]) =>
  didYouMean(word, names) ?? `Known: ${names.join(', ') || 'none'}.`

interface Ordered {
  stage: string
  after: readonly string[]
}

/** Divides stages into waves that run side by side. A wave needs the waves before it; inside, the order is as listed. */
export function wavesOf<Stage extends Ordered>(stages: readonly Stage[]): Stage[][] {
  const waves: Stage[][] = []
  const done = new Set<string>()
  while (done.size < stages.length) {
    const ready = stages.filter(({ stage, after }) => !done.has(stage) && after.every((one) => done.has(one)))
    if (ready.length === 0) throw new Error('stages wait for each other')
    for (const { stage } of ready) done.add(stage)
    waves.push(ready)
  }
  return waves
}

/** Sorts stages so that each is after all that it depends on, and otherwise as listed. */
export const inOrder = <Stage extends Ordered>(stages: readonly Stage[]): Stage[] => wavesOf(stages).flat()

/** Returns the declared flow of a method that runs one of these workflows. */
export function workflowsFlow({
  workflows,
  iterations,
}: {
  workflows: Readonly<Record<string, Workflow>>
  iterations: number
}): Flow {
  const [first, ...others] = Object.values(workflows).map((workflow) => flowOf(workflow, iterations))
  if (!first) throw new Error('no workflow was read before the run')
  return others.length === 0 ? first : { either: [first, ...others] }
}

function flowOf({ stages }: Workflow, iterations: number): Flow {
  const agentOf = (name: string) => stages.find(({ stage }) => stage === name)?.agent ?? name
  return wavesOf(stages).flatMap((wave): Flow[] => {
    const agents = wave.map(({ agent }) => agent)
    const asked: Flow = agents.length === 1 ? (agents[0] as string) : { beside: agents }
    const revisions = wave.flatMap(({ agent, iterates }): Flow[] => {
      const most = Math.min(iterates?.most ?? 0, iterations)
      return iterates && most > 0 ? [{ repeat: [agentOf(iterates.toward), agent], most }] : []
    })
    return [asked, ...revisions]
  })
}
