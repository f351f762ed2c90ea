import type { Random } from '../../base/random.ts'
import type { AgentRequest, PastAsk } from '../agent.ts'
import { hasApproved, probability } from './behaviour.ts'

/** Whether the values of an enum include roles, so that choosing one sends the work to that role. */
export function isRouting(
  values: readonly unknown[],
  roles: AgentRequest['roles'],
): values is readonly string[] {
  return values.some((value) => typeof value === 'string' && Object.hasOwn(roles, value))
}

/**
 * Returns the next role, by the order of the options and the kinds of work of their roles, never by name. The first option
 * begins; submissions go to a judge; rejected ones return to their producer (or to the option after the judge, if that one
 * decides); accepted ones go to the next judge and at last to the option that names no role.
 */
export function nextRole(
  options: readonly string[],
  { roles, history }: Pick<AgentRequest, 'roles' | 'history'>,
): string {
  const work = (option: string | undefined) =>
    option !== undefined && Object.hasOwn(roles, option) ? roles[option] : undefined
  const first = options[0] as string
  const end = options.find((option) => work(option) === undefined) ?? first
  const judges = options.filter((option) => work(option) === 'judge')
  const produce = options.find((option) => work(option) === 'produce') ?? first

  const earlier: PastAsk | undefined = history.findLast(
    ({ role }) => options.includes(role) && work(role) !== undefined,
  )
  if (!earlier) return first
  const at = options.indexOf(earlier.role)
  const after = options.slice(at + 1)
  switch (earlier.work) {
    case 'judge':
      if (hasApproved(earlier)) {
        return (
          after.find((option) => work(option) === 'judge') ??
          after.find((option) => work(option) === 'summarise') ??
          end
        )
      }
      return work(after[0]) === 'decide' ? (after[0] as string) : produce
    case 'produce':
      return options.slice(0, at).findLast((option) => work(option) === 'judge') ?? judges[0] ?? end
    case 'decide':
      return judges[0] ?? produce
    case 'summarise':
      return after.find((option) => work(option) !== undefined) ?? end
  }
}

/** Returns the next role like `nextRole`, or a random option if the skill of deciding fails. */
export function simulatedRoute(
  options: readonly string[],
  request: AgentRequest,
  skill: number,
  random: Random,
): string {
  if (random() < probability(skill)) return nextRole(options, request)
  return options[Math.floor(random() * options.length)] as string
}
