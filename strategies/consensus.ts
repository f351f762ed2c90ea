import { z } from 'zod'
import { defineStrategy, type StrategyContext, type StrategyResult } from '../src/strategy.ts'
import { AgentError } from '../src/text/errors.ts'
import { sideBySide } from '../src/workflows/attempts.ts'
import { endWith } from '../src/workflows/end.ts'
import {
  anonymise,
  behaviourOf,
  candidatesContext,
  elect,
  type LetteredWork,
  type Work,
} from '../src/workflows/vote.ts'
import { filesContext, solve } from '../src/workflows/work-context.ts'

const workers = ['worker-1', 'worker-2', 'worker-3', 'worker-4', 'worker-5', 'worker-6', 'worker-7'] as const
const votes = ['majority', 'weighted', 'judge', 'combine'] as const
const Options = z
  .strictObject({
    agents: z
      .int()
      .min(2)
      .max(workers.length)
      .default(3)
      .describe('number of workers, each with its own role'),
    vote: z.enum(votes).default('majority').describe('how the result is chosen'),
    weights: z
      .string()
      .regex(/^(\d+(\.\d+)?(:\d+(\.\d+)?)*)?$/, 'must be numbers with colons between them, such as 2:1:1')
      .refine((weights) => weights === '' || weights.split(':').every((weight) => Number(weight) > 0), {
        error: 'must be above 0',
      })
      .default('')
      .describe('for vote=weighted: a number for each worker, such as 2:1:1'),
  })
  .refine(({ vote, weights }) => (vote === 'weighted') === (weights !== ''), {
    path: ['weights'],
    error: 'must be set with vote=weighted, and only then',
  })
  .refine(({ agents, weights }) => weights === '' || weights.split(':').length === agents, {
    path: ['weights'],
    error: 'must have one number for each worker',
  })

/** Agents work on the same task without knowing of each other; then a vote, a judge or a synthesizer decides. */
export const consensus = defineStrategy({
  name: 'consensus',
  summary:
    'Several agents work apart; a vote, a weighted vote or a judge chooses, or a synthesizer combines.',
  roles: {
    ...(Object.fromEntries(workers.map((role) => [role, 'produce'])) as Record<Worker, 'produce'>),
    judge: 'judge',
    synthesizer: 'produce',
  },
  rolesOf: ({ agents, vote }) => ({
    ...Object.fromEntries(workers.slice(0, agents).map((role) => [role, 'produce'])),
    ...(vote === 'judge' && { judge: 'judge' }),
    ...(vote === 'combine' && { synthesizer: 'produce' }),
  }),
  declaration: ({ agents, vote }) => ({
    flow: [
      { beside: workers.slice(0, agents) },
      ...(vote === 'judge' ? [{ maybe: 'judge' } as const] : []),
      ...(vote === 'combine' ? [{ maybe: 'synthesizer' } as const] : []),
    ],
    stop: 'after one decision',
    context:
      'workers: the task and its files; judge or synthesizer: all work, without names, in seeded order',
    ...((vote === 'majority' || vote === 'weighted') && { asks: 'task' as const }),
    ...(vote === 'judge' && { chooser: 'judge' as const }),
    ...(vote === 'combine' && { chooser: 'synthesizer' as const }),
  }),
  mixes: true,
  options: Options,

  async run(context) {
    const { options, workspace, checkpoint, random, sameAnswer } = context
    const roles = workers.slice(0, options.agents)
    const { ended, failures } = await sideBySide(context, roles, async (branch, place) => {
      const role = roles[place] as Worker
      const reply = await solve(branch, role)
      return { role, reply, ...(await behaviourOf(branch.workspace, reply)) }
    })
    if (ended.length === 0) throw failures[0]

    const made = ended.map(({ value, workspace }) => ({ ...value, workspace }))
    const weights = options.weights.split(':').map(Number)
    const { winner, agreement } = elect(
      made.map(({ role, does, answer, checks }) => {
        const weight = options.vote === 'weighted' ? (weights[roles.indexOf(role)] ?? 0) : 1
        return { does, answer, passes: checks.status === 'passed', weight }
      }),
      sameAnswer,
    )
    const elected = made[winner] as (typeof made)[number]
    const end = (chosen: Work, detail: string, more: object = {}): StrategyResult => {
      if (chosen.workspace !== workspace) workspace.adopt(chosen.workspace)
      const state = { agreement, elected: elected.role, failed: failures.length, ...more }
      return endWith(context, { answer: chosen.reply, stopReason: 'done', detail, state })
    }
    if (options.vote === 'majority' || options.vote === 'weighted' || made.length === 1)
      return end(elected, `${elected.role}, with ${agreement.classes.join(', ')} alike of ${made.length}`)

    const shown = anonymise(made, random)
    const { order } = await checkpoint({ order: shown.map(({ work }) => work.role) })
    try {
      if (options.vote === 'combine') return end(await combineWorks(context, shown), 'combined', { order })
      const letter = await choice(context, shown)
      const chosen = shown.find((one) => one.letter === letter)?.work ?? elected
      return end(chosen, `the judge chose ${letter}, ${chosen.role}`, { order, chosen: chosen.role })
    } catch (failure) {
      if (!(failure instanceof AgentError)) throw failure
      return end(elected, `who was to decide gave nothing; the majority did, for ${elected.role}`, { order })
    }
  },
})

type Worker = (typeof workers)[number]
type Context = StrategyContext<Worker | 'judge' | 'synthesizer', z.output<typeof Options>>

async function choice({ ask, instruction: task }: Context, shown: readonly LetteredWork[]): Promise<string> {
  const shape = z.object({ reason: z.string(), best: z.enum(shown.map(({ letter }) => letter)) })
  const { best } = await ask('judge', choose, { shape, show: { task, ...candidatesContext(shown) } })
  return best
}

async function combineWorks({ ask, workspace }: Context, shown: readonly LetteredWork[]): Promise<Work> {
  const show = { files: filesContext(workspace), ...candidatesContext(shown) }
  const reply = await ask('synthesizer', combine, { show })
  return { reply, workspace, checks: { status: 'none', passed: 0, total: 0, output: '' } }
}

const choose =
  'Choose the best of the candidates below: the one that does the whole task. Lean on the results of the visible checks ' +
  'where there are any, and on your own reading for what they do not cover. Their order means nothing.'
const combine =
  'Below are candidates for the task, made apart from each other. Make the best work of them: take over what is right, ' +
  'leave out what is wrong, and hand in the whole. Their order means nothing.'
