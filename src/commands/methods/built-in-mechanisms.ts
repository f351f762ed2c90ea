import type { z } from 'zod'
import type { baseline } from '../../../strategies/baseline.ts'
import type { cascade } from '../../../strategies/cascade.ts'
import type { chained } from '../../../strategies/chained.ts'
import type { collaboration } from '../../../strategies/collaboration.ts'
import type { consensus } from '../../../strategies/consensus.ts'
import type { dag } from '../../../strategies/dag.ts'
import type { fanout } from '../../../strategies/fanout.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Mechanism } from '../../schema/method/mechanism.ts'
import { worksOf } from '../../workflows/graph/plan-roles.ts'
import { isAsking, isGate, rolesOfState, workOfState } from '../../workflows/machine/state-facts.ts'

/** Options as a run holds them. In those of older runs, contents of documents may be missing. */
type OptionsOf<Of extends { options: z.ZodType }> = z.output<Of['options']>

const revisionsOf = (...before: string[]): Mechanism => ({ name: 'revisions', before })
const otherWork = (name: string, ...before: string[]): Mechanism => ({ name, before, acts: 'other-work' })

/**
 * The mechanisms of the built-in strategies. They are not in the strategies' own files: a description that gets better makes no other
 * method of them, and holds for older runs.
 */
export const builtInMechanisms = {
  baseline: ({ turns }: OptionsOf<typeof baseline>) => (turns === 1 ? [] : [revisionsOf('solver')]),
  'self-consistency': [{ name: 'votes', before: ['attempt-1'] }],
  'best-of': [otherWork('choices', 'attempt-1')],
  retry: [{ name: 'retries', before: ['attempt-1'], acts: 'asked-again' }],
  consensus: ({ vote }: OptionsOf<typeof consensus>) => {
    if (vote === 'judge') return [otherWork('choices', 'worker-1')]
    return vote === 'combine'
      ? [otherWork('combinations', 'worker-1')]
      : [{ name: 'votes', before: ['worker-1'] }]
  },
  // What it held when it first decided.
  cascade: ({ until }: OptionsOf<typeof cascade>) => [
    { name: 'escalations', before: until === 'agreement' ? ['step-2', 'step-1'] : ['step-1'] },
  ],
  router: [{ name: 'routes', before: [], acts: { state: 'router.fallback', is: false } }],
  collaboration: ({ workflows }: OptionsOf<typeof collaboration>) => {
    const producers = Object.values(workflows ?? {}).flatMap(({ stages, agents }) =>
      stages.map(({ agent }) => agent).filter((agent) => agents[agent]?.work === 'produce'),
    )
    return [revisionsOf(...new Set(producers))]
  },
  dag: ({ plan }: OptionsOf<typeof dag>) => {
    const steps = plan?.steps ?? []
    const chosen = steps.flatMap(({ does }) =>
      does?.kind === 'choose' ? Object.values(does.candidates) : [],
    )
    const [first] = steps.filter(({ id }) => chosen.includes(id))
    if (first) return [otherWork('choices', first.id)]
    const producers = steps.flatMap(worksOf).filter(({ work }) => work === 'produce')
    return producers.length > 1 ? [revisionsOf(...new Set(producers.map(({ role }) => role)))] : []
  },
  fanout: ({ machine }: OptionsOf<typeof fanout>) => {
    const states = Object.values(machine?.states ?? {})
    const producing = states.filter(isAsking).filter((state) => workOfState(state) === 'produce')
    const producers = [...new Set(producing.flatMap(rolesOfState))]
    return [
      ...(states.some(isGate) ? [{ name: 'gates', before: producers }] : []),
      otherWork('states', ...producers),
    ]
  },
  chained: ({ rounds, stages }: OptionsOf<typeof chained>) =>
    rounds === 1 || !stages.split(':').includes('build')
      ? []
      : [{ name: 'rounds', before: ['builder'], acts: { state: 'state.round', above: 1 } }],
  integrated: [revisionsOf('code-generator')],
  // Summaries decide what agents read, and leave no work of their own.
  sequential: [revisionsOf('code-generator'), { name: 'summaries', before: [] }],
} satisfies Record<string, readonly Mechanism[] | ((options: never) => readonly Mechanism[])>

/** Returns the mechanisms of the methods of a run, by label; without those of strategies that declare none. */
export function mechanismsOf(methods: readonly Method[]): Record<string, readonly Mechanism[]> {
  return Object.fromEntries(
    methods.flatMap(({ label, strategy, options, file, mechanisms }) => {
      if (mechanisms || file !== undefined) return mechanisms ? [[label, mechanisms]] : []
      const known: Readonly<
        Record<string, readonly Mechanism[] | ((options: never) => readonly Mechanism[])>
      > = builtInMechanisms
      const declared = Object.hasOwn(known, strategy) ? known[strategy] : undefined
      if (!declared) return []
      return [[label, typeof declared === 'function' ? declared(options as never) : declared]]
    }),
  )
}
