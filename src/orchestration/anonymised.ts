import { shuffled } from '../base/random.ts'
import type { CheckResult, Workspace } from '../strategy.ts'
import { trimToTokens } from './trim.ts'
import { checkContext, replyContext, sections } from './work-context.ts'

/** A piece of work that somebody is to judge, or to go on from. */
interface Candidate {
  reply: string
  workspace: Workspace
  checks: CheckResult
}

/**
 * Candidates under letters, in seeded order: whoever reads them learns neither who made which, nor by their places.
 * `random` gives a number by label, as a strategy's context does.
 */
export function anonymised<One extends Candidate>(
  candidates: readonly One[],
  random: (label: string) => number,
): { letter: string; candidate: One }[] {
  let drawn = 0
  return shuffled(candidates, () => random(`order ${drawn++}`)).map((candidate, place) => ({
    letter: String.fromCharCode(65 + place),
    candidate,
  }))
}

/** What a prompt shows of each, by its letter: changes, reply, and what the visible checks say. */
export function shownByLetter(
  all: readonly { letter: string; candidate: Candidate }[],
): Record<string, string> {
  return Object.fromEntries(
    all.map(({ letter, candidate: { reply, workspace, checks } }) => [
      `candidate ${letter}`,
      sections({
        changes: trimToTokens(workspace.diff(), 6_000),
        reply: replyContext(reply, workspace),
        'visible checks': checkContext(checks),
      }),
    ]),
  )
}
