import {
  LenientWorkflowFile,
  userRequest,
  type Workflow,
  WorkflowFile,
} from '../../schema/method/workflow.ts'
import { sha256 } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import { readYaml, type YamlFile } from '../../yaml/read-yaml.ts'
import { circleIn, inOrder, upstream } from './stage-order.ts'

/** Reads a workflow; undefined where something is wrong with it, all of which is added with file, line and remedy. */
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

/** What is wrong beside fields of a wrong kind, where these do not decide it. */
function furtherProblems(text: string, file: string, told: readonly Problem[]): Problem[] {
  const rough = readYaml(text, file, LenientWorkflowFile, [])
  if (!rough) return []
  const isFlowUnclear = told.some(({ where }) => /\.(stage|agent|depends_on|provides)\b/.test(where ?? ''))
  return problemsOf(rough, isFlowUnclear).filter(({ where }) => !told.some((one) => one.where === where))
}

function problemsOf({ data, where }: YamlFile<WorkflowFile>, isFlowUnclear = false): Problem[] {
  const { agents, stages } = data
  const names = stages.map(({ stage }) => stage)
  // Of two by one name, the first.
  const known = new Map(stages.toReversed().map((stage) => [stage.stage, stage]))
  const before = (stage: Stage) => upstream(stage.stage, (name) => known.get(name)?.depends_on ?? [])
  const problems: Problem[] = []
  stages.forEach((stage, i) => {
    const at = (...field: PropertyKey[]) => where('stages', i, ...field)
    const tell = (address: string, what: string, fix: string) => problems.push({ where: address, what, fix })
    if (stage.stage === userRequest)
      tell(at('stage'), 'is the request itself, not a stage', 'Give the stage another name.')
    if (names.indexOf(stage.stage) < i)
      tell(at('stage'), `there are two stages "${stage.stage}"`, 'Give each a name of its own.')
    const agent = Object.hasOwn(agents, stage.agent) ? agents[stage.agent] : undefined
    if (!agent)
      tell(at('agent'), `there is no agent "${stage.agent}"`, meant(stage.agent, Object.keys(agents)))
    stage.depends_on.forEach((one, j) => {
      if (one === stage.stage) tell(at('depends_on', j), 'depends on itself', 'Leave it out.')
      else if (one !== userRequest && !known.has(one) && !isFlowUnclear)
        tell(at('depends_on', j), `there is no stage "${one}"`, meant(one, [...known.keys(), userRequest]))
    })
    for (const need of isFlowUnclear ? [] : (agent?.needs ?? [])) {
      const isLater = (one: Stage) => before(one).has(stage.stage) && !before(stage).has(one.stage)
      const givers = stages.filter((one) => one !== stage && !isLater(one) && gives(one, need, agents))
      if (need === userRequest || givers.some((one) => stage.depends_on.includes(one.stage))) continue
      const [giver] = givers
      if (giver)
        tell(
          at('depends_on'),
          `stage "${stage.stage}" needs ${need} of stage "${giver.stage}" and does not depend on it`,
          `Add ${giver.stage} to depends_on.`,
        )
      else
        tell(
          where('agents', stage.agent, 'needs', agent?.needs.indexOf(need) ?? 0),
          `stage "${stage.stage}" needs ${need}, which nobody before it provides`,
          'Move it to optional_needs, or let an earlier stage provide it.',
        )
    }
    if (!isFlowUnclear)
      problems.push(...iterationProblems(stage, agent?.output_format, before(stage), known, at))
  })
  const circle = circleIn(names, (name) => (known.get(name)?.depends_on ?? []).filter((one) => one !== name))
  if (circle)
    problems.push({
      where: where('stages', names.indexOf(circle[0] ?? ''), 'depends_on'),
      what: `stages wait for each other: ${circle.join(' -> ')}`,
      fix: 'Take one of them out of a depends_on.',
    })
  if (!stages.some(({ agent }) => agents[agent]?.work === 'produce'))
    problems.push({
      where: where('stages'),
      what: 'no stage has an agent that produces, so nothing would be handed in',
      fix: 'Give one of them an agent with work: produce.',
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
            what: 'says how often, but not toward whom',
            fix: 'Set can_iterate.',
          },
        ]
  const earlier = [...before].filter((one) => one !== stage.stage && known.has(one))
  const fix =
    earlier.length > 0 ? `Write one of ${earlier.join(', ')}.` : 'Leave it out, or depend on a stage.'
  const problems: Problem[] = []
  if (format === 'plain')
    problems.push({
      where,
      what: 'plain text cannot hold a request for changes',
      fix: 'Give its agent another output_format.',
    })
  if (target === true)
    return earlier.length > 0 ? problems : [...problems, { where, what: 'there is no stage before it', fix }]
  if (!known.has(target)) problems.push({ where, what: `there is no stage "${target}"`, fix })
  else if (!earlier.includes(target))
    problems.push({ where, what: `"${target}" is no earlier stage that it depends on`, fix })
  return problems
}

const meant = (word: string, names: readonly string[]) =>
  didYouMean(word, names) ?? `There are ${names.join(', ') || 'none'}.`
