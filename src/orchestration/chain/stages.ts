import { z } from 'zod'
import type { KindOfWork } from '../../ask.ts'
import type { Flow } from '../../schema/method/declaration.ts'

/** The stages of the chain, in order. */
export const stageNames = ['plan', 'build', 'test', 'review', 'document', 'ship'] as const
export const StageName = z.enum(stageNames)
export type StageName = z.infer<typeof StageName>

/** The roles that the stages ask. */
export const chainRoles = {
  planner: 'decide',
  builder: 'produce',
  reviewer: 'judge',
  documenter: 'summarise',
} as const satisfies Record<string, KindOfWork>
type ChainRole = keyof typeof chainRoles

/** The role that each stage asks. The others ask nobody. */
export const roleOf: Readonly<Partial<Record<StageName, ChainRole>>> = {
  plan: 'planner',
  build: 'builder',
  review: 'reviewer',
  document: 'documenter',
}

/** The stages of a round, which begin again until all of them are good. */
export const roundStages = ['build', 'test', 'review'] as const satisfies readonly StageName[]
/** The stages after the last round. */
export const lastStages = ['document', 'ship'] as const satisfies readonly StageName[]

/** Stages that do not apply to a task that wants an answer: it has no files to test, to document and to ship. */
export const notForAnswers: readonly StageName[] = ['test', 'document', 'ship']

/** Reads names of stages with colons between them. */
export const stagesIn = (text: string): StageName[] => {
  const named = text.split(':')
  return stageNames.filter((name) => named.includes(name))
}

/** Returns the roles that a chain may ask; with `only`, those of one stage. Of stages that ask nobody, it is the planner. */
export function rolesOfStages(
  stages: readonly StageName[],
  only: StageName | null,
): Readonly<Record<string, KindOfWork>> {
  const asked = (only === null ? stages : [only]).flatMap((stage) => roleOf[stage] ?? [])
  const roles = asked.length > 0 ? asked : (['planner'] as const)
  return Object.fromEntries(roles.map((role) => [role, chainRoles[role]]))
}

/** Returns whom a chain asks, in which order; with `only`, whom one stage asks. */
export function chainFlow(stages: readonly StageName[], only: StageName | null): Flow<ChainRole> {
  // A flow names somebody. `test` and `ship` ask nobody.
  if (only !== null) return { maybe: roleOf[only] ?? 'planner' }
  const has = (stage: StageName) => stages.includes(stage)
  const round: Flow<ChainRole>[] = [
    ...(has('build') ? (['builder'] as const) : []),
    // Not where the build or the tests have failed before the last round.
    ...(has('review') ? ([{ maybe: 'reviewer' }] as const) : []),
  ]
  const flow: Flow<ChainRole>[] = [
    ...(has('plan') ? (['planner'] as const) : []),
    // Nothing is mended without a builder, so nothing is done again.
    ...(has('build') ? ([{ repeat: round, most: 'rounds' }] as const) : round),
    // Not for tasks that want an answer, nor where nothing was handed in.
    ...(has('document') ? ([{ maybe: 'documenter' }] as const) : []),
  ]
  return flow.length > 0 ? flow : { maybe: 'planner' }
}
