import { showsOldCode } from './announcement.ts'
import type { Candidate } from './choose-code.ts'

const mostJoined = 10

/**
 * Returns a candidate's code, behind the code of others that it needs: they define names that it uses and neither it nor the task's
 * file defines. Code that defines the function itself is another version of it and is left out. Of several versions of a helper the last one counts.
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
  const definers = lastDefiners(candidates, name)
  for (let i = 0; i < wanted.length && parts.size <= mostJoined; i++) {
    const use = wanted[i] as string
    if (defined.has(use)) continue
    const other = definers.get(use)
    if (!other || parts.has(other)) continue
    parts.add(other)
    for (const one of other.facts.defines) defined.add(one)
    wanted.push(...other.facts.uses)
  }
  const others = candidates.filter((one) => one !== chosen && parts.has(one))
  return { code: [...others, chosen].map(({ code }) => code.trimEnd()).join('\n\n\n'), joined: others.length }
}

/**
 * Returns the last candidate that defines each name. One that uses the function shows it, too, and gives only its functions; what
 * the prose calls old or wrong gives none.
 */
function lastDefiners(candidates: readonly Candidate[], name: string): Map<string, Candidate> {
  const definers = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const { facts, language, before } = candidate
    if (language === 'other' || facts.defines.has(name) || showsOldCode(before)) continue
    for (const defined of facts.uses.has(name) ? facts.functions : facts.defines)
      if (!facts.sketches.has(defined)) definers.set(defined, candidate)
  }
  return definers
}
