import type { GraphPart, GraphPlan, PlanStep } from '../../../src/schema/graph/plan.ts'

/** Returns a step of a plan, whose role is `writer`. */
export const planStep = (id: string, needs: string[] = [], more: Partial<PlanStep> = {}): PlanStep => ({
  ...{ id, needs, task: 'write', agent: 'writer', role: 'writer', provider: null, work: 'produce' },
  ...{ prompt: 'Write it.', tools: [], on_failure: 'fail', retries: 0, parts: [] },
  ...more,
})

/** Returns a plan of these steps. */
export const graphPlan = (steps: PlanStep[], more: Partial<GraphPlan> = {}): GraphPlan => ({
  ...{ version: 1, name: 'example', workflow: 'main', digest: 'd1'.repeat(32), seed: 0 },
  ...{ max_concurrency: 4, conflict: 'fail', providers: {}, input: null, answer: null, steps },
  ...more,
})

const { needs: _, parts: __, id: ___, ...work } = planStep('any')

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
      planStep(says(name, turn), needs, { parts: talk(turn), role: 'debater@fast', provider: 'fast' }),
    )
  const boss = (turn: number) => ({
    kind: 'assign' as const,
    ...{ prefix: 'p::lead::', round: turn, rounds: 2, max: 4, boss: { ...work, role: 'boss' } },
    workers: { coder: { ...work, role: 'coder' }, tester: { ...work, role: 'tester' } },
    before: [turn === 1 ? 'p::lead::boss::r2' : 'p::lead::finish'],
  })
  const judge = 'p::f::left.talk::judge'
  return graphPlan(
    [
      planStep('draft', [], { retries: 2, timeout_ms: 30_000, tools: ['files'] }),
      ...round(1, ['draft']),
      ...round(
        2,
        names.map((name) => says(name, 1)),
      ),
      planStep(
        judge,
        names.map((name) => says(name, 2)),
        { parts: talk(), work: 'judge' },
      ),
      planStep('p::f::right::check', ['draft'], { parts: [fork], work: 'summarise', on_failure: 'continue' }),
      planStep('p::f::join', [judge, 'p::f::right::check'], {
        parts: [{ ...fork, joins: true }],
        conflict: 'merge',
      }),
      planStep('p::work::plan', ['p::f::join'], {
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
      planStep('p::work::finish', ['p::work::plan'], { parts: planning }),
      planStep('p::lead::boss::r1', ['p::work::finish'], {
        parts: leading(1),
        work: 'decide',
        does: boss(1),
      }),
      planStep('p::lead::boss::r2', ['p::lead::boss::r1'], {
        parts: leading(2),
        work: 'decide',
        does: boss(2),
      }),
      planStep('p::lead::finish', ['p::lead::boss::r2'], {
        parts: [{ pattern: 'lead', kind: 'hierarchical', joins: true }],
      }),
      planStep('choose', ['p::lead::finish', 'draft'], {
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
