import type { GraphPart, GraphPlan, PlanStep } from '../../../src/schema/graph/plan.ts'
import { planOf, planStep, workOf } from './graph-plans.ts'

/** Returns a step of the role `writer`. */
export const writerStep = (id: string, needs: string[] = [], more: Partial<PlanStep> = {}): PlanStep =>
  planStep(id, needs, { task: 'write', agent: 'writer', role: 'writer', ...more })

/** Returns a plan of these steps, with a digest as long as a real one. */
export const drawnPlan = (steps: PlanStep[], more: Partial<GraphPlan> = {}): GraphPlan =>
  planOf(steps, { name: 'example', digest: 'd1'.repeat(32), ...more })

const work = workOf({ task: 'write' })

/** A plan with a planner, a boss, a referee and a debate within a branch. */
export const mixedPlan = (): GraphPlan => {
  const fork: GraphPart = { pattern: 'f', kind: 'fork_join' }
  const talk = (turn?: number): GraphPart[] => [
    fork,
    { pattern: 'f.left.talk', kind: 'debate', ...(turn && { turn }), ...(!turn && { joins: true }) },
  ]
  const planning: GraphPart[] = [{ pattern: 'work', kind: 'planner_executor' }]
  const leading = (turn: number): GraphPart[] => [{ pattern: 'lead', kind: 'hierarchical', turn }]
  const says = (name: string, round: number) => `p::f::left.talk::${name}::r${round}`
  const names = ['ann', 'bob', 'cem']
  const round = (turn: number, needs: string[]) =>
    names.map((name) =>
      writerStep(says(name, turn), needs, { parts: talk(turn), role: 'debater@fast', provider: 'fast' }),
    )
  const boss = (turn: number) => ({
    kind: 'assign' as const,
    ...{ prefix: 'p::lead::', round: turn, rounds: turn, max: 4, boss: { ...work, role: 'boss' } },
    workers: { coder: { ...work, role: 'coder' }, tester: { ...work, role: 'tester' } },
    before: [turn === 1 ? 'p::lead::boss::r2' : 'p::lead::finish'],
  })
  const judge = 'p::f::left.talk::judge'
  return drawnPlan(
    [
      writerStep('draft', [], { retries: 2, timeout_ms: 30_000, tools: ['files'] }),
      ...round(1, ['draft']),
      ...round(
        2,
        names.map((name) => says(name, 1)),
      ),
      writerStep(
        judge,
        names.map((name) => says(name, 2)),
        { parts: talk(), work: 'judge' },
      ),
      writerStep('p::f::right::check', ['draft'], {
        parts: [fork],
        work: 'summarise',
        on_failure: 'continue',
      }),
      writerStep('p::f::join', [judge, 'p::f::right::check'], {
        parts: [{ ...fork, joins: true }],
        conflict: 'merge',
      }),
      writerStep('p::work::plan', ['p::f::join'], {
        parts: planning,
        work: 'decide',
        does: {
          kind: 'plan',
          ...{
            prefix: 'p::work::execute::',
            max: 5,
            order: 'sequential',
            executor: { ...work, role: 'executor' },
          },
          before: ['p::work::finish'],
        },
      }),
      writerStep('p::work::finish', ['p::work::plan'], { parts: planning }),
      writerStep('p::lead::boss::r1', ['p::work::finish'], {
        parts: leading(1),
        work: 'decide',
        does: boss(1),
      }),
      writerStep('p::lead::boss::r2', ['p::lead::boss::r1'], {
        parts: leading(2),
        work: 'decide',
        does: boss(2),
      }),
      writerStep('p::lead::finish', ['p::lead::boss::r2'], {
        parts: [{ pattern: 'lead', kind: 'hierarchical', joins: true }],
      }),
      writerStep('choose', ['p::lead::finish', 'draft'], {
        work: 'judge',
        does: { kind: 'choose', candidates: { first: 'draft', last: 'p::lead::finish' } },
      }),
    ],
    {
      answer: 'choose',
      providers: {
        fast: { kind: 'local_ollama', config: { model: 'llama3.2' } },
        far: { kind: 'http_remote', config: { base_url: 'http://127.0.0.1:9/v1', model: 'm' } },
        any: { kind: 'bench_agent', config: { agent: 'simulated' } },
      },
    },
  )
}
