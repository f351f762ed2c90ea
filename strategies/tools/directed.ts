import { z } from 'zod'
import type { AskOptions } from '../../src/ask.ts'
import type { Flow } from '../../src/schema/method/declaration.ts'
import type { DirectorTask } from '../../src/stage.ts'
import type { Strategy, StrategyContext, StrategyResult } from '../../src/strategy.ts'

// The wrapper knows no strategy's own roles and options.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
type Context = StrategyContext<any, any>

const by = z
  .enum(['mcp'])
  .optional()
  .describe(
    'mcp: the agent of the orchestrator calls the other roles itself, by tools over MCP; an agent CLI has no other tools then',
  )

/**
 * Gives a strategy with an orchestrator the option `by`. It is absent unless it is set, so trials without it keep their ids. `decides`: what
 * the orchestrator is asked is who acts next, so each call of a role is a decision, and the strategy does what follows from it. `works`:
 * it is asked for work, and asks others while it makes that.
 */
export function directed(strategy: Strategy, kind: 'decides' | 'works'): Strategy {
  const { declaration, run, rolesOf, options } = strategy
  const declared = (given: Parameters<Strategy['run']>[0]['options']) =>
    typeof declaration === 'function' ? declaration(given) : declaration
  return {
    ...strategy,
    options: (options as z.ZodObject).extend({ by }),
    declaration(given) {
      const own = declared(given) ?? { flow: orchestrator, stop: '', context: '' }
      return given.by ? { ...own, flow: flowOf(own.flow, given) } : own
    },
    run(context) {
      if (!context.options.by) return run(context)
      const roles = Object.keys(rolesOf?.(context.options) ?? strategy.roles).filter(
        (role) => role !== orchestrator,
      )
      return kind === 'decides' ? byDecisions(strategy, roles, context) : run(withDirector(context, roles))
    },
  }
}

const orchestrator = 'orchestrator'

/** The declared flow, with what an orchestrator may ask that calls others itself: of whom and how often is its own choice. */
function flowOf(flow: Flow, options: Readonly<Record<string, unknown>>): Flow {
  if (typeof flow === 'string' || Array.isArray(flow)) return flow
  if ('machine' in flow) {
    const others = [...new Set(flow.machine.flatMap(({ roles }) => roles))].filter(
      (role) => role !== orchestrator,
    )
    return {
      ...flow,
      machine: flow.machine.map((node) =>
        node.roles.includes(orchestrator) ? { ...node, mayAsk: [orchestrator, ...others] } : node,
      ),
    }
  }
  if (!('repeat' in flow) || typeof flow.repeat === 'string') return flow
  const [, ...others] = flow.repeat as readonly Flow[]
  const most = 2 * Number(options[String(flow.most)]) + 1
  return { repeat: { either: [orchestrator, ...others] }, most }
}

/**
 * Runs a strategy whose orchestrator decides who acts next. The strategy runs in the branch of the stage: it waits where it asks for a
 * decision, until the agent asks a role or ends its work.
 */
async function byDecisions(
  { run }: Strategy,
  roles: readonly string[],
  context: Context,
): Promise<StrategyResult> {
  const talk = createTalk()
  let running = Promise.resolve() as Promise<unknown> as Promise<StrategyResult>
  const { workspace } = await context.stage(orchestrator, {
    directs: orchestrator,
    roles,
    async begin(inner) {
      running = run({ ...inner, ask: talk.answering(inner.ask) })
      running.catch(() => {}).finally(talk.end)
      const asked = await talk.next()
      if (!asked) await running
      return { prompt: '', work: 'decide', ...asked }
    },
    async perform({ role, brief }) {
      const asked = await talk.decide({ next: role, brief })
      if (!asked) await running
      return asked && talk.news(asked, `### you, to ${role}\n${brief}`)
    },
    async finish(result) {
      await talk.decide({ next: 'finish', brief: result })
    },
  })
  context.workspace.adopt(workspace)
  return running
}

type Question = Pick<DirectorTask, 'prompt' | 'system' | 'show'>

/** Joins a strategy that asks for decisions with an agent that makes calls: each waits for the other. */
function createTalk() {
  let open: { question: Question; answer(decision: unknown): void } | undefined
  let hasEnded = false
  let wake = () => {}
  let shown = ''
  const next = async (): Promise<Question | undefined> => {
    if (!open && !hasEnded)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    return open?.question
  }
  const answering =
    (ask: Context['ask']) =>
    (role: string, prompt: string, options: AskOptions = {}) => {
      if (role !== orchestrator) return ask(role, prompt, options)
      return new Promise((answer) => {
        open = { question: questionOf(prompt, options), answer }
        wake()
      })
    }
  return {
    answering: answering as (ask: Context['ask']) => Context['ask'],
    /** Returns what the strategy asks next; undefined if it has ended. */
    next,
    decide(decision: { next: string; brief: string }): Promise<Question | undefined> {
      const { answer } = open ?? {}
      open = undefined
      answer?.(decision)
      return next()
    },
    end() {
      hasEnded = true
      wake()
    },
    /** Returns what the last text of a question says that earlier ones did not, without the agent's own words. */
    news({ show = {} }: Question, own: string): string {
      const text = Object.values(show).at(-1) ?? ''
      const added = text.startsWith(shown) ? text.slice(shown.length).trim() : text
      shown = text
      return added.startsWith(own) ? added.slice(own.length).trim() : added
    },
  }
}

const questionOf = (prompt: string, { system, show }: AskOptions): Question => ({
  prompt,
  ...(system !== undefined && { system }),
  ...(show && { show: Object.fromEntries(Object.entries(show).map(([name, text]) => [name, text ?? ''])) }),
})

/** Returns a context in which the orchestrator makes its texts in a stage; what it is asked to decide, it is asked as ever. */
function withDirector(context: Context, roles: readonly string[]): Context {
  const askInStage = async (prompt: string, options: AskOptions) => {
    const { work = 'produce', timeoutMs } = options
    const { output, workspace } = await context.stage(orchestrator, {
      directs: orchestrator,
      roles,
      begin: async () => ({
        ...questionOf(prompt, options),
        work,
        ...(timeoutMs !== undefined && { timeoutMs }),
      }),
    })
    context.workspace.adopt(workspace)
    return output
  }
  const ask = (role: string, prompt: string, options: AskOptions & { shape?: z.ZodType } = {}) =>
    role === orchestrator && !options.shape ? askInStage(prompt, options) : context.ask(role, prompt, options)
  return { ...context, ask: ask as Context['ask'] }
}
