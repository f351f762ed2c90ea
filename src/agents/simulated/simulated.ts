import { type HandOff, handOffOpening, parseHandOffRequest } from '../../formats/hand-off.ts'
import type { Profile } from '../../schema/agent/profile.ts'
import type { Task } from '../../schema/task.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { textOfSize } from '../../text/token-estimate.ts'
import type { Agent, AgentReply, AgentRequest } from '../agent.ts'
import { buildPool } from '../mutants/mutant-pool.ts'
import type { AgentEnvironment } from '../provider.ts'
import { chanceOf, isDecision, judge, probability, type Verdict } from './behaviour.ts'
import { handOffReply, ratingSignal, simulatedDecision } from './decision.ts'
import { profileOfModel } from './load-profile.ts'
import { isRouting, simulatedRoute } from './routing.ts'
import { fillShape, type ShapeContent, textPlace } from './shape-fill.ts'
import {
  contractSize,
  drawFailure,
  failedReply,
  finishReply,
  inputTokens,
  outputSize,
} from './simulated-usage.ts'
import { type Submissions, submissionsOf } from './submissions.ts'
import { requirements, statedTokenLimit, summaryText } from './summary-text.ts'
import { toolCalls, toolReply } from './tool-turn.ts'
import { type Call, substance, writeWork } from './work.ts'

type SimulatedOptions = Pick<AgentEnvironment, 'tasks' | 'trySubmission' | 'cache' | 'onWarning'> & {
  profile: Profile
  /** A model of the profile; empty for its own. */
  model?: string
}

/**
 * Creates a simulated model from a behaviour profile. Each reply depends only on the run's seed, the trial, the request, the
 * files and the task's mutants. It keeps nothing between asks, so a resumed trial continues as if it had never stopped.
 */
export function createSimulated({
  profile: ofProfile,
  model = '',
  tasks,
  trySubmission,
  cache,
  onWarning,
}: SimulatedOptions): Agent {
  const profile = profileOfModel(ofProfile, model)
  const name = model === '' ? 'simulated' : `simulated:${model}`
  const known = new Map(tasks.map((task) => [task.ref, task]))
  const prepared = new Map<string, Promise<Submissions>>()
  const warned = new Set<string>()

  const submissionsFor = (task: Task): Promise<Submissions> => {
    const submissions =
      prepared.get(task.ref) ??
      buildPool(task, trySubmission, { cache }).then((pool) => submissionsOf(task, pool))
    prepared.set(task.ref, submissions)
    return submissions
  }
  const warn = (role: string) => {
    if (!profile.roles || Object.hasOwn(profile.roles, role) || warned.has(role)) return
    warned.add(role)
    onWarning?.(
      `[profile ${profile.id}] states no size for role "${role}". The default of its kind of work is used.`,
    )
  }

  return {
    name,
    paid: false,
    simulated: true,
    virtualTime: true,
    tools: 'called',
    async prepare(task) {
      await submissionsFor(task)
    },
    async ask(request, signal) {
      signal.throwIfAborted()
      warn(request.role)
      const task = known.get(request.trial.task)
      if (!task)
        throw new InfrastructureError(`[agent ${name}] was never given the task ${request.trial.task}`)
      return replyOf(profile, request, await submissionsFor(task))
    },
  }
}

async function replyOf(
  profile: Profile,
  request: AgentRequest,
  submissions: Submissions,
): Promise<AgentReply> {
  const chance = chanceOf(profile, request)
  const { random } = chance
  const input = inputTokens(profile, request)
  if (input > (profile.context.limit ?? Number.POSITIVE_INFINITY)) {
    return failedReply(profile, 'context-overflow', 0, 0, profile.latency.baseMs)
  }
  const { requirements } = submissions.task.spec.properties
  const size = contractSize(outputSize(profile, request, random), profile, request, requirements)
  const failure = drawFailure(profile, request, input, size, random)
  if (failure) return failure
  const call = { profile, request, submissions, chance, input, size }
  const calls = request.tools && toolCalls(call, request.tools)
  if (calls) return toolReply(call, calls)
  const text = request.schema ? await writeShape(call, request.schema) : await writePlain(call)
  return finishReply(profile, request, input, size, text, random)
}

async function writePlain(call: Call): Promise<string> {
  const { request, size } = call
  const asked = request.prompt.includes(handOffOpening) && parseHandOffRequest(request.prompt)
  if (asked) return handOff(call, asked)
  switch (request.work) {
    case 'produce':
      return writeWork(call)
    case 'summarise':
      return writeSummary(call)
    case 'judge': {
      const verdict = await judgeWork(call)
      const words = verdict.approved
        ? 'Approved: nothing is missing.'
        : `Not yet:\n- ${verdict.findings.join('\n- ')}`
      return textOfSize(`${words}\n`, '', size.visible, substance.judge)
    }
    case 'decide':
      return textOfSize(`${requirements(request.prompt).join('\n')}\n`, '', size.visible, substance.decide)
  }
}

async function handOff(call: Call, asked: HandOff): Promise<string> {
  const { profile, request, size, chance } = call
  const { work } = request
  return handOffReply(asked, {
    lines: work === 'summarise' ? [writeSummary(call)] : requirements(request.prompt),
    verdict: work === 'judge' ? await judgeWork(call) : undefined,
    work: work === 'produce' ? writeWork(call) : undefined,
    malformed: profile.malformed,
    tokens: size.visible,
    of: substance[work],
    random: chance.random,
  })
}

const judgeWork = ({ profile, request, submissions, chance }: Call): Promise<Verdict> =>
  judge(profile, request, submissions, chance)

function writeSummary({ profile, request, size, chance }: Call): string {
  const tokens = profile.roles?.[request.role]?.output ?? Math.max(size.visible, 1)
  return summaryText(request.prompt, tokens, probability(profile.skills.summarise), chance.random)
}

async function writeShape(call: Call, schema: Readonly<Record<string, unknown>>): Promise<string> {
  const { profile, request, submissions, chance, size } = call
  const { random } = chance
  const malformed = random() < profile.malformed * (request.repair ? 0.25 : 1)
  const cut = random()
  const value = isDecision(schema)
    ? simulatedDecision(request.prompt, submissions, profile.skills.decide, random)
    : fillShape(schema, await shapeContent(call))
  const json = JSON.stringify(value)
  const target =
    request.work === 'summarise'
      ? Math.min(size.visible, statedTokenLimit(request.prompt) ?? size.visible)
      : size.visible
  const [before = '', after = ''] = json.split(textPlace)
  const text = json.includes(textPlace) ? textOfSize(before, after, target, substance[request.work]) : json
  if (!malformed) return text
  return cut < 0.5
    ? text.slice(0, Math.ceil(text.length * (0.3 + cut)))
    : `Here is what I found: ${text.slice(1)}\nI hope this helps.`
}

async function shapeContent(call: Call): Promise<ShapeContent> {
  const { profile, request, submissions, chance } = call
  if (request.work === 'judge') {
    const { signal, approved, findings } = await judgeWork(call)
    return {
      signal,
      approved,
      items: findings.length,
      text: (i) => findings[i] ?? findings[0] ?? 'Nothing is missing.',
      rate: (rated) => ratingSignal(profile, request, submissions, rated),
    }
  }
  const choose = (values: readonly unknown[]) =>
    isRouting(values, request.roles)
      ? simulatedRoute(values, request, profile.skills.decide, chance.random)
      : undefined
  if (request.work === 'produce') {
    const whole = writeWork(call)
    return { signal: 0.9, approved: true, items: 1, text: (i) => (i === 0 ? whole : ''), choose }
  }
  const lines = request.work === 'summarise' ? [writeSummary(call)] : requirements(request.prompt)
  return { signal: 0.9, approved: true, items: 3, text: (i) => lines[i % lines.length] as string, choose }
}
