import type { KindOfWork } from '../../ask.ts'

/** Returns why tools that a method is given reach no role of it; undefined if they reach one. */
export function whyUnreached(
  label: string,
  names: readonly string[],
  roles: Readonly<Record<string, KindOfWork>>,
): string | undefined {
  const works = Object.entries(roles)
  if (names.length === 0 || works.some(([, work]) => work === 'produce')) return undefined
  const kinds = works.map(([role, work]) => `${role} is of kind ${work}`).join(', ')
  return `${label}: the tools that it is given (${names.join(', ')}) change nothing: only roles of kind produce get them, and ${kinds}`
}
