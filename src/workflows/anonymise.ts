import { shuffled } from '../base/random.ts'
import type { CheckResult, Workspace } from '../strategy.ts'
import { trimToTokens } from './trim.ts'
import { checkContext, replyContext, sections } from './work-context.ts'

/** One agent's work that another agent judges or combines. */
export interface Work {
  reply: string
  workspace: Workspace
  checks: CheckResult
}

/** Work under the letter by which a prompt names it. */
export interface LetteredWork<One extends Work = Work> {
  letter: string
  work: One
}

/**
 * Puts works into a seeded order and gives them letters, so that neither names nor places say who made which. Pass the
 * context's `random`.
 */
export function anonymise<One extends Work>(
  works: readonly One[],
  random: (label: string) => number,
): LetteredWork<One>[] {
  for (const work of works)
    for (const field of ['reply', 'workspace', 'checks'] as const)
      if (work?.[field] === undefined)
        throw new Error(
          `anonymise(): each work needs \`reply\`, \`workspace\` and \`checks\`; one has no \`${field}\``,
        )
  let drawn = 0
  return shuffled(works, () => random(`order ${drawn++}`)).map((work, place) => ({
    letter: String.fromCharCode(65 + place),
    work,
  }))
}

/** Returns what a judge sees of each work, for `show`: its changes, its reply and its visible checks, as `candidate A` and so on. */
export function candidatesContext(works: readonly LetteredWork[]): Record<string, string> {
  return Object.fromEntries(
    works.map(({ letter, work: { reply, workspace, checks } }) => [
      `candidate ${letter}`,
      sections({
        changes: trimToTokens(workspace.diff(), 6_000),
        reply: replyContext(reply, workspace),
        'visible checks': checkContext(checks),
      }),
    ]),
  )
}
