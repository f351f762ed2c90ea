import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import type { GraphOptions, GraphStep } from '../../../src/graph.ts'
import { AgentError } from '../../../src/text/errors.ts'
import { type AnyContext, agentOf, type playTrial, strategyOf } from '../runs/trial.ts'

/** A step that gives a text. */
export type TextStep = GraphStep<AnyContext, string>

/** A step that asks and hands on what it and the steps before it said. */
export const asking = (id: string, after: readonly string[], more: Partial<TextStep> = {}): TextStep => ({
  id,
  after,
  async run(context, inputs) {
    const given = [...inputs].map(
      ([name, one]) => `${name}=${one.status === 'done' ? one.value : one.status}`,
    )
    const reply = await context.ask('solver', `do ${id}`, { show: { given: given.join('; ') } })
    return `${reply}`
  },
  ...more,
})

/** Says the name of the step, after as many milliseconds as the test says. */
export const agentThatTakes = (ms: (id: string) => number) =>
  agentOf(({ prompt }: AgentRequest) => {
    const id = /do (\S+)/.exec(prompt)?.[1] ?? ''
    return { text: `said ${id}`, durationMs: ms(id) }
  })

export const graphStrategy = (steps: readonly TextStep[], options?: GraphOptions) =>
  strategyOf(async (context: AnyContext) => {
    const results = await context.graph(steps, options)
    return {
      stopReason: 'done',
      answer: '42',
      state: { results: [...results].map(([id, { status }]) => `${id} ${status}`), now: context.now() },
    }
  })

/** Random graphs: each step depends on some of those before it. */
export const shapesUpTo = (most: number) =>
  fc.array(fc.array(fc.nat(), { maxLength: 3 }), { minLength: 1, maxLength: most, size: 'max' }).map((all) =>
    all.map((needs, i) => ({
      id: idOf(i),
      after: [...new Set(i === 0 ? [] : needs.map((need) => idOf(need % i)))],
    })),
  )
const idOf = (place: number) => `s${String(place).padStart(3, '0')}`
export const shapes = shapesUpTo(20)
export const stepsOf = (shape: readonly { id: string; after: readonly string[] }[]) =>
  shape.map(({ id, after }) => asking(id, after))
export const times = fc.array(fc.nat(5), { minLength: 20, maxLength: 20 })
export type Played = Awaited<ReturnType<typeof playTrial>>
export const promptsOf = ({ steps }: Played) =>
  steps.flatMap((step) => (step.kind === 'ask' ? [`${step.key} ${step.prompt} ${step.at}`] : [])).sort()
export const orderOf = ({ steps }: Played) =>
  steps.flatMap((step) => (step.kind === 'graph' ? [step.step] : []))
export const withoutWall = ({ record: { wall: _, ...rest } }: Played) => rest

/** An agent of a server: it really takes that long, and counts who asked. */
export function agentThatWaits(ms: (id: string) => number, asked: string[] = []) {
  return agentOf(
    async ({ prompt }: AgentRequest) => {
      const id = /do (\S+)/.exec(prompt)?.[1] ?? ''
      asked.push(id)
      await setTimeout(ms(id))
      return { text: `said ${id}`, durationMs: ms(id) }
    },
    { paid: true },
  )
}

/** Answers nothing: a replay must not ask. */
export const nobody = agentOf(() => 'never')

/** What goes wrong in a graph: which steps fail, which take how long, which file each writes. */
export interface Troubled {
  shape: readonly { id: string; after: readonly string[] }[]
  fates: readonly ('works' | 'fails' | 'times out')[]
  reactions: readonly NonNullable<TextStep['onFailure']>[]
  files: readonly number[]
}

/** Random graphs in which steps fail and write the same files. */
export const troubledUpTo = (most: number): fc.Arbitrary<Troubled> =>
  fc.record({
    shape: shapesUpTo(most),
    fates: listOf(fc.constantFrom('works', 'works', 'works', 'fails', 'times out'), most),
    reactions: listOf(fc.constantFrom('fail', 'skip', 'continue'), most),
    files: listOf(fc.nat(4), most),
  })

const listOf = <Value>(one: fc.Arbitrary<Value>, length: number) =>
  fc.array(one, { minLength: length, maxLength: length })

/** The steps of a troubled graph: each asks, writes a file, and then may fail. */
export const troubledSteps = ({ shape, fates, reactions, files }: Troubled): TextStep[] =>
  shape.map(({ id, after }, i) => {
    const step = asking(id, after, { onFailure: reactions[i] ?? 'fail' })
    return {
      ...step,
      async run(context, inputs) {
        const said = await step.run(context, inputs)
        context.workspace.apply([{ path: `f${files[i]}.txt`, content: `${id}\n` }])
        if (fates[i] === 'fails') throw new AgentError('empty', `nothing came of ${id}`)
        if (fates[i] === 'times out') throw new AgentError('timeout', `${id} took too long`)
        return said
      },
    }
  })
