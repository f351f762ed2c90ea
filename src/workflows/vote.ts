import { shuffled } from '../base/random.ts'
import { pickNumber } from '../replies/answers/pick-number.ts'
import { extractAnswer } from '../replies/answers/read-answer.ts'
import type { CheckResult, StrategyContext, Workspace } from '../strategy.ts'
import { checkContext, replyContext, sections, trimToTokens } from './work-context.ts'

/** One vote for what some work does. */
export interface Ballot {
  /** A text that is equal for work that does the same: `behaviourOf(…).does`. */
  does: string
  /** The reply, where its answer alone is the work: `behaviourOf(…).answer`. */
  answer?: string | undefined
  /** Whether the work passes the visible checks. */
  passes: boolean
  /** 1 for an ordinary vote. */
  weight: number
}

/** How far the voters agree. */
export interface Agreement {
  /** Number of ballots. */
  voted: number
  /** Sizes of the groups of equal ballots, largest first. */
  classes: number[]
  /** The winning group's share of all weight. */
  share: number
  /** Share of pairs of ballots that are equal: Fleiss (1971), equation 2, for one subject. 1 if there is no pair. */
  pairs: number
}

/** Whether two replies give the same answer to a task. It need not be transitive: `25` and `0.25` both equal `25%`. */
export type SameAnswer = StrategyContext<never, unknown>['sameAnswer']

/**
 * Groups works that do the same, in their order: each joins the first group whose first work does what it does. So the groups are the same
 * each time, also where answers are equal within a tolerance.
 */
export function groupAlike<One extends Pick<Ballot, 'does' | 'answer'>>(
  works: readonly One[],
  sameAnswer: SameAnswer = sameText,
): One[][] {
  const groups: [One, ...One[]][] = []
  for (const work of works) {
    const group = groups.find(([first]) =>
      first.answer !== undefined && work.answer !== undefined
        ? sameAnswer(first.answer, work.answer)
        : first.does === work.does,
    )
    if (group) group.push(work)
    else groups.push([work])
  }
  return groups
}

/**
 * Returns the index of the ballot that wins, and how far the ballots agree. Pass the context's `sameAnswer`; without it answers are compared
 * as texts. Work that passes the visible checks wins over work that does not; then the group with the most weight, the earlier one among
 * equals; within it the heaviest ballot, then the first.
 */
export function elect(
  ballots: readonly Ballot[],
  sameAnswer?: SameAnswer,
): { winner: number; agreement: Agreement } {
  const ways = groupAlike(
    ballots.map((ballot, place) => ({ ...ballot, place })),
    sameAnswer,
  ).map((own) => ({
    passes: own.some(({ passes }) => passes),
    weight: own.reduce((sum, { weight }) => sum + weight, 0),
    heaviest: own.reduce((first, one) => (one.weight > first.weight ? one : first)),
    count: own.length,
  }))
  const counts = ways.map(({ count }) => count)
  const [best] = ways.sort((a, b) => Number(b.passes) - Number(a.passes) || b.weight - a.weight)
  if (!best) throw new Error('elect() got no ballots')
  const voted = ballots.length
  const agreeing = counts.reduce((sum, count) => sum + count * (count - 1), 0)
  return {
    winner: best.heaviest.place,
    agreement: {
      voted,
      classes: counts.sort((a, b) => b - a),
      share: best.weight / ballots.reduce((sum, { weight }) => sum + weight, 0),
      pairs: voted < 2 ? 1 : agreeing / (voted * (voted - 1)),
    },
  }
}

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

/** What work does, seen from outside. */
export interface Behaviour {
  checks: CheckResult
  /** A text that is equal for work that does the same. */
  does: string
  /** The reply, where its answer alone is the work. */
  answer?: string
}

/**
 * Runs the visible checks and returns what the work does, for a vote: the result and output of the checks; without checks,
 * the changed files; without changed files, the answer in the reply.
 */
export async function behaviourOf(workspace: Workspace, reply: string): Promise<Behaviour> {
  const checks = await workspace.check()
  const { status, passed, total, output } = checks
  if (status !== 'none') return { checks, does: `${passed} of ${total}\n${output}` }
  const changes = workspace.diff()
  return changes === ''
    ? { checks, does: `answer ${answerForm(reply)}`, answer: reply }
    : { checks, does: changes }
}

const sameText: SameAnswer = (one, other) => answerForm(one) === answerForm(other)

/**
 * Returns the final answer of a reply, as graders find it, in one form for all spellings: small letters, single spaces, `b` for `(B)`,
 * and one form for a number that stands alone (`$1,000.0` and `1000`). Without an answer, the whole reply.
 */
export function answerForm(reply: string): string {
  const answer = extractAnswer(reply) ?? reply
  const plain = answer
    .trim()
    .toLowerCase()
    .replace(/[*_`$]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\.$/, '')
    .trim()
  const [, letter] = /^[([{<]? ?([a-z]) ?[)\]}>]?[.:,]?$/.exec(plain) ?? []
  return letter ?? numberAlone(answer) ?? plain
}

/** Returns a number that has no words beside it, in one form. Those beside `18 eggs` may matter, and a percentage has two values. */
function numberAlone(answer: string): string | undefined {
  const words = answer.replace(/\\(?:[dt]?frac|boxed|left|right)\b|^\s*\p{L}\s*(?==)|\d[eE](?=[-+]?\d)/gu, '')
  const picked = /\p{L}/u.test(words) ? undefined : pickNumber(answer)
  if (picked === undefined || 'problem' in picked) return undefined
  const [value, ...others] = picked.number.values as [number, ...number[]]
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value)
  return isExact && others.length === 0 ? String(value) : undefined
}
