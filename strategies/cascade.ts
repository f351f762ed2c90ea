import { z } from 'zod'
import { type CascadeState, cascadeRules } from '../src/schema/method/cascade.ts'
import type { Flow } from '../src/schema/method/declaration.ts'
import {
  defineStrategy,
  type Spent,
  type StrategyContext,
  type StrategyResult,
  type Workspace,
} from '../src/strategy.ts'
import { AgentError, LimitError } from '../src/text/errors.ts'
import { endWith } from '../src/workflows/end.ts'
import { type Behaviour, behaviourOf, candidatesContext, groupAlike } from '../src/workflows/vote.ts'
import { solve } from '../src/workflows/work-context.ts'

const steps = ['step-1', 'step-2', 'step-3', 'step-4', 'step-5', 'step-6', 'step-7'] as const
const Options = z
  .strictObject({
    until: z.enum(cascadeRules).default('agreement').describe('what ends it before its last step'),
    steps: z
      .int()
      .min(2)
      .max(steps.length)
      .default(3)
      .describe('number of steps from cheap to dear, each with its own role'),
  })
  .refine(({ until, steps }) => until !== 'agreement' || steps > 2, {
    path: ['steps'],
    error: 'must be at least 3 with until=agreement: steps 1 and 2 are asked before it can go on',
  })

/** Agents from cheap to dear: the next is asked only where nothing speaks for the work so far (FrugalGPT, Chen et al. 2023). */
export const cascade = defineStrategy({
  name: 'cascade',
  summary:
    'Agents from cheap to dear; the next is asked only if two disagree, the visible checks fail or a judge objects.',
  roles: { ...produceRoles(steps.length), judge: 'judge' },
  rolesOf: ({ steps, until }) => ({ ...produceRoles(steps), ...(until === 'judge' && { judge: 'judge' }) }),
  declaration: ({ steps, until }) => ({
    flow: flowOf(groupsOf(steps, until), until === 'judge'),
    stop: `${rules[until].ends}, or the last step is asked`,
    context:
      'steps: the task and its files, none knows of another; judge: the task and the work, without its maker',
    ...(until === 'judge' ? { chooser: 'judge' as const } : { asks: 'task' as const }),
  }),
  mixes: true,
  gradesCandidates: true,
  options: Options,

  async run(context) {
    const { until, steps } = context.options
    const groups = groupsOf(steps, until)
    const state: CascadeState = { until, planned: groups.flat(), steps: [], decisions: [], delivered: null }
    const made: Made[] = []
    const failures: Error[] = []
    const end = (stopReason: StrategyResult['stopReason'], detail: string): StrategyResult => {
      const answer = heldOf(made, until)?.reply ?? ''
      return endWith(context, { answer, stopReason, detail, state: { cascade: state } })
    }
    // Each step begins with the task's files, while the trial's own branch has the work that a limit would leave.
    const start = await context.branch('start', async ({ workspace }) => workspace)
    try {
      for (const group of groups) {
        for (const one of await Promise.all(group.map((role) => askStep(context, role, start)))) {
          const { role, costUsd } = one
          state.steps.push({ role, costUsd, ...('failure' in one && { failed: one.failure.message }) })
          if ('failure' in one) failures.push(one.failure)
          else made.push(one)
        }
        const held = heldOf(made, until)
        state.delivered = held?.role ?? null
        if (held) context.workspace.adopt(held.workspace)
        if (group === groups.at(-1)) break
        const verdict = held ? await rules[until].judge(context, made, held) : nobody
        const [after = ''] = group.slice(-1)
        state.decisions.push({ after, ...verdict })
        if (verdict.accepted) return end('done', `${after}: ${verdict.why}`)
      }
    } catch (limit) {
      if (!(limit instanceof LimitError)) throw limit
      return end('halted', `a limit of the trial: ${limit.message}`)
    }
    const last = heldOf(made, until)
    if (!last) throw failures[0]
    if (until === 'checks' && last.checks.status === 'failed')
      return end('exhausted', 'no step passes the visible checks')
    return end('done', `after the last step: ${last.role}`)
  },
})

type Step = (typeof steps)[number]
type Until = (typeof cascadeRules)[number]
type Context = StrategyContext<Step | 'judge', z.output<typeof Options>>
type Verdict = Omit<CascadeState['decisions'][number], 'after'>

/** The work of a step. */
interface Made extends Behaviour {
  role: Step
  reply: string
  workspace: Workspace
  costUsd: number | null
}

function produceRoles(count: number): Record<Step, 'produce'> {
  return Object.fromEntries(steps.slice(0, count).map((role) => [role, 'produce'])) as Record<Step, 'produce'>
}

/** The steps that are asked side by side: of agreement the first two, else one after another. */
function groupsOf(count: number, until: Until): Step[][] {
  const first = until === 'agreement' ? 2 : 1
  return [steps.slice(0, first), ...steps.slice(first, count).map((role) => [role])]
}

function flowOf([group = [], ...later]: readonly Step[][], isJudged: boolean): Flow<Step | 'judge'>[] {
  if (later.length === 0) return [{ beside: group }]
  const judged: Flow<'judge'>[] = isJudged ? [{ maybe: 'judge' }] : []
  return [{ beside: group }, ...judged, { maybe: flowOf(later, isJudged) }]
}

/** Asks one step in a branch of its own; a step that gives nothing is no end of the cascade. */
function askStep(
  context: Context,
  role: Step,
  start: Workspace,
): Promise<Made | (Pick<Made, 'role' | 'costUsd'> & { failure: Error })> {
  return context.branch(role, async (branch) => {
    const { workspace } = branch
    workspace.adopt(start)
    const before = branch.spent()
    const costUsd = () => costBetween(before, branch.spent())
    const made = (reply: string, behaviour: Behaviour) => ({
      ...{ role, reply, workspace, ...behaviour, costUsd: costUsd() },
    })
    let reply = ''
    try {
      reply = await solve(branch, role)
      return made(reply, await behaviourOf(workspace, reply))
    } catch (failure) {
      if (!(failure instanceof AgentError || failure instanceof LimitError)) throw failure
      // The limit refused the checks of work that is there.
      return reply === '' ? { role, failure, costUsd: costUsd() } : made(reply, unchecked)
    }
  })
}

const unchecked: Behaviour = { checks: { status: 'none', passed: 0, total: 0, output: '' }, does: '' }

function costBetween(before: Spent, after: Spent): number | null {
  if (after.unreported.costUsd > before.unreported.costUsd) return null
  // Rounding leaves no digits of floating-point differences.
  return Number((after.reported.costUsd - before.reported.costUsd).toFixed(12))
}

/** The work that would be handed in now: that of the dearest agent; of checks that which passes most. */
function heldOf(made: readonly Made[], until: Until): Made | undefined {
  const most = Math.max(...made.map(({ checks }) => checks.passed))
  return made.findLast(({ checks }) => until !== 'checks' || checks.passed === most)
}

const nobody: Verdict = { accepted: false, why: 'no agent gave anything' }

/** What speaks for the work so far, so that no further step is asked. */
const rules: Record<
  Until,
  { ends: string; judge(context: Context, made: readonly Made[], held: Made): Verdict | Promise<Verdict> }
> = {
  agreement: {
    ends: 'two steps agree',
    judge({ sameAnswer }, made, held) {
      const alike = groupAlike(made, sameAnswer).find((group) => group.includes(held))
      const like = alike?.find((one) => one !== held)
      if (!like) return { accepted: false, why: made.length > 1 ? 'no two agree' : 'one agent alone' }
      if (held.checks.status === 'failed')
        return { accepted: false, why: 'they agree, but visible checks fail' }
      return { accepted: true, why: `${like.role} and ${held.role} agree` }
    },
  },
  checks: {
    ends: 'the visible checks pass, or there are none',
    judge(_, __, { checks: { status, passed, total } }) {
      if (status === 'none') return { accepted: true, why: 'the task has no visible checks' }
      return { accepted: status === 'passed', why: `${passed} of ${total} visible checks pass` }
    },
  },
  judge: {
    ends: 'a judge accepts the work',
    async judge({ ask, instruction: task, spent }, _, work) {
      const before = spent()
      const cost = () => ({ costUsd: costBetween(before, spent()) })
      try {
        const show = { task, ...candidatesContext([{ letter: 'A', work }]) }
        const { accept } = await ask('judge', question, { shape: Acceptance, show })
        return { accepted: accept, why: `the judge ${accept ? 'accepts' : 'does not accept'} it`, ...cost() }
      } catch (failure) {
        if (!(failure instanceof AgentError)) throw failure
        return { accepted: false, why: `the judge gave nothing: ${failure.message}`, ...cost() }
      }
    },
  },
}

const Acceptance = z.object({ reason: z.string(), accept: z.boolean() })
const question =
  'Is the candidate below right, and does it do the whole task? Lean on the result of the visible checks where there are any, ' +
  'and on your own reading for what they do not cover. If you do not accept it, a better agent does the task anew.'
