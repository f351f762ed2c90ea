import type { Candidate } from './choose-code.ts'

const mostJoined = 10

/**
 * Returns a candidate's code, behind the code of others that it needs: they define names that it uses and neither it nor the task's
 * file defines. Code that defines the function itself is another version of it, and code that uses it is an example; both are left out.
 */
export function joinNeeded(
  chosen: Candidate,
  candidates: readonly Candidate[],
  name: string,
  known: ReadonlySet<string>,
): { code: string; joined: number } {
  const parts = new Set([chosen])
  const defined = new Set([...known, ...chosen.facts.defines])
  const wanted = [...chosen.facts.uses]
  for (let i = 0; i < wanted.length && parts.size <= mostJoined; i++) {
    const use = wanted[i] as string
    if (defined.has(use)) continue
    const other = candidates.find(
      ({ facts, language }) =>
        language !== 'other' && facts.defines.has(use) && !facts.defines.has(name) && !facts.uses.has(name),
    )
    if (!other || parts.has(other)) continue
    parts.add(other)
    for (const one of other.facts.defines) defined.add(one)
    wanted.push(...other.facts.uses)
  }
  const others = candidates.filter((one) => one !== chosen && parts.has(one))
  return { code: [...others, chosen].map(({ code }) => code.trimEnd()).join('\n\n\n'), joined: others.length }
}
