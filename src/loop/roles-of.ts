import type { Method } from '../schema/trial.ts'
import type { KindOfWork, Strategy } from '../strategy.ts'
import type { KnownStrategy } from './methods.ts'

/** The roles of a strategy under a method's options, with their kinds of work. */
export function rolesOf(
  { roles, rolesOf }: Strategy,
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, KindOfWork>> {
  return rolesOf ? rolesOf(options) : roles
}

/** The names of a method's roles; none where its strategy is not known. */
export function roleNames({ strategy: name, options }: Method, known: readonly KnownStrategy[]): string[] {
  const found = known.find(({ strategy }) => strategy.name === name)
  return found ? Object.keys(rolesOf(found.strategy, options)) : []
}
