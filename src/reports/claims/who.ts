import type { Claim } from '../../analysis/claims/claims.ts'
import { type LeadingGroup, leadingGroup } from '../../analysis/claims/leading-group.ts'
import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import type { Verdict } from '../../analysis/compare/pair-results.ts'
import { marginText } from '../words/claim-words.ts'
import { counted, listed } from '../words/numbers.ts'
import {
  differenceOf,
  limitsText,
  rangeText,
  type ScreenRow,
  shareText,
  shortP,
  sizeText,
  trustedDifference,
} from './rows.ts'

/** Longer lists of pairs are counted instead of named. */
const longestList = 110
/** In comparisons of so few methods the losers are named. */
const fewMethods = 4
/** Above this number of methods the leading group stands first. */
const mostCompared = 3

/** Says who is better than whom by the claims, and what is open; without a test who passed most. */
export function whoText(rows: readonly ScreenRow[], comparison: Comparison | null): string {
  const graded = rows.filter(({ success, isBound }) => success.estimate !== null && !isBound)
  if (rows.length === 0) return 'no trial has a record yet.'
  if (graded.length === 0) return 'nothing was graded, so there is no success to compare.'
  if (comparison === null || comparison.pairs.every(({ verdict }) => verdict === null))
    return mostText(graded, comparison)
  return claimsText(comparison, rows.find(({ isBaseline }) => isBaseline)?.name ?? null)
}

function mostText(rows: readonly ScreenRow[], comparison: Comparison | null): string {
  const [first, second] = rows
  if (!first) return ''
  const isScore = comparison?.outcome === 'score'
  const value = shareText(first.score ?? first.success)
  if (!second) return `${first.name} passes ${value}; no other method was graded, so nothing is compared.`
  const level = rows.filter(
    (row) => (row.score ?? row.success).estimate === (first.score ?? first.success).estimate,
  )
  if (level.length > 1 && !isScore && first.success.estimate === 0)
    return `no method passed a task: ${listed(level.map(({ name }) => name))}, ${value}.`
  const most = isScore ? 'has the highest score' : 'passes most'
  const leader =
    level.length > 1
      ? `${listed(level.map(({ name }) => name))} ${isScore ? 'have the highest score' : 'pass most'}`
      : `${first.name} ${most}`
  const { difference } = first
  const base = rows.find(({ isBaseline, agents }) => isBaseline && agents === first.agents)
  if (level.length > 1 || !difference || difference.estimate === null || !base) return `${leader}, ${value}.`
  const { estimate, lower, upper } = difference
  const limits = lower === null || upper === null ? '' : ` ${limitsText({ lower, upper })}`
  return `${leader}, ${shareText({ ...(first.score ?? first.success), lower: null })}: ${sizeText({ estimate: Math.abs(estimate), lower: null, upper: null })} more than ${base.name}${limits}.`
}

function claimsText(comparison: Comparison, baseline: string | null): string {
  const { pairs, margin, methods, claims } = comparison
  const of = (word: Verdict['word']) => pairs.filter(({ verdict }) => verdict?.word === word)
  const within = marginText(margin)
  const group = methods.length > mostCompared ? leadingGroup(comparison) : null
  const claimed = (kind: Claim['kind']) => claims.filter((claim) => claim.kind === kind)
  const parts = [
    group && groupText(group, methods.length),
    betterText(comparison, claimed('better'), baseline),
    sidesText(comparison, claimed('not-worse'), ['not worse', ` by more than ${within}`]),
    equivalentText(claimed('equivalent'), within),
    // The group and the ranks say what is open.
    group ? '' : openText(of('not-established'), pairs.length),
    sameText(of('not-separated')),
    untestedText(of('too-few-tasks')),
  ]
  return parts.filter(Boolean).join(' ')
}

/** Names the methods that are not told apart from the best. */
function groupText({ labels, best }: LeadingGroup, all: number): string {
  if (labels.length === 1) return ''
  if (labels.length === all)
    return `Leading group: all ${all} methods; no test separates one from ${best}, which has the highest estimate.`
  const named = listed(labels)
  const names = named.length <= longestList / 2 ? named : `${labels.length} of ${all} methods`
  return `Leading group: ${names}; ${labels.length === 2 ? 'the two are' : 'they are'} not told apart from the best.`
}

function betterText(comparison: Comparison, claims: readonly Claim[], baseline: string | null): string {
  const [only] = claims
  if (!only) return 'No method is shown to be better.'
  if (claims.length === 1)
    return sidesText(comparison, claims, ['better', ` by ${sizeWithP(comparison, only)}`])
  const against = claims.filter(({ than }) => than === baseline)
  const size = (claim: Claim) => Math.abs(pairOf(comparison, claim)?.outcome.estimate ?? 0)
  const largest = (against.length > 0 ? against : claims).reduce((most, one) =>
    size(one) > size(most) ? one : most,
  )
  const where = against.length > 0 ? ` against ${baseline}` : ''
  return `${sidesText(comparison, claims, ['better'])} Largest${where}: ${largest.of} than ${largest.than} by ${sizeWithP(comparison, largest)}.`
}

const pairOf = ({ pairs }: Comparison, { of, than }: Claim): PairComparison | undefined =>
  pairs.find(({ a, b }) => (a === of && b === than) || (a === than && b === of))

/** Returns `24 points [0.1, 46], p .0498`, as seen from the winner. */
function sizeWithP(comparison: Comparison, claim: Claim): string {
  const pair = pairOf(comparison, claim)
  const p = claim.adjustedP === null ? '' : `, p ${shortP(claim.adjustedP)}`
  return `${pair ? sizeText(differenceOf(pair, claim.of)) : ''}${p}`
}

/** Returns `B is better than C and A; C than A.`, by winner; in a long list losers are counted. */
function sidesText(
  { methods }: Comparison,
  claims: readonly Claim[],
  [word, end = '']: readonly [string, string?],
): string {
  if (claims.length === 0) return ''
  const winners = methods
    .map(({ label }) => ({
      label,
      over: claims.filter(({ of }) => of === label).map(({ than }) => than),
    }))
    .filter(({ over }) => over.length > 0)
    .sort((a, b) => b.over.length - a.over.length)
  const isAll = (over: readonly string[]) => over.length > 2 && over.length === methods.length - 1
  // Winners over the same methods share a clause.
  const clauses = (keyOf: (over: readonly string[]) => string, whomOf: typeof listed) => {
    const groups = [...new Set(winners.map(({ over }) => keyOf(over)))].map((key) =>
      winners.filter(({ over }) => keyOf(over) === key),
    )
    const verb = (groups[0] ?? []).length > 1 ? 'are' : 'is'
    const texts = groups.map((group, i) => {
      const names = listed(group.map(({ label }) => label))
      const over = group.find(({ over }) => isAll(over))?.over ?? group[0]?.over ?? []
      return `${names}${i === 0 ? ` ${verb} ${word}` : ''} than ${isAll(over) ? 'all others' : whomOf(over)}${whomOf !== listed && group.length > 1 ? ' each' : ''}`
    })
    return `${texts.join('; ')}${end}.`
  }
  const named = clauses((over) => over.join('\n'), listed)
  if (named.length <= (methods.length <= fewMethods ? 2 : 1) * longestList) return named
  return clauses(
    (over) => String(over.length),
    (over) => counted(over.length, 'other'),
  )
}

function equivalentText(claims: readonly Claim[], within: string): string {
  if (claims.length === 0) return ''
  const named = claims.map(({ of, than }) => `${of} and ${than}`).join('; ')
  return named.length <= longestList
    ? `Equivalent within ${within}: ${named}.`
    : `${counted(claims.length, 'pair')} equivalent within ${within}.`
}

function openText(pairs: readonly PairComparison[], all: number): string {
  if (pairs.length === 0) return ''
  const ranges = pairs.map(openRange)
  const named = ranges.map(({ text }) => text).join('; ')
  if (named.length <= longestList / (pairs.length > 2 ? 2 : 1)) return `Open: ${named}.`
  const widest = ranges.reduce((most, one) => (one.most > most.most ? one : most))
  const size =
    widest.most > 0 ? `, by at most ${Math.ceil(100 * widest.most - 1e-9)} points (${widest.pair})` : ''
  return `Open: ${pairs.length} of ${counted(all, 'pair')}${size}.`
}

function openRange(pair: PairComparison): { pair: string; text: string; most: number } {
  const isTurned = (pair.outcome.estimate ?? 0) < 0
  const [first, second] = isTurned ? [pair.b, pair.a] : [pair.a, pair.b]
  const { lower, upper } = trustedDifference(pair, first)
  const range = lower === null || upper === null ? '' : `, ${rangeText({ lower, upper })}`
  const name = `${first} than ${second}`
  return { pair: name, text: `${name}${range}`, most: Math.max(-(lower ?? 0), upper ?? 0) }
}

function sameText(pairs: readonly PairComparison[]): string {
  if (pairs.length === 0) return ''
  const named = pairs.map(({ a, b }) => `${a} and ${b}`).join('; ')
  return named.length <= longestList
    ? `No task separates ${named}.`
    : `No task separates the two methods of ${counted(pairs.length, 'pair')}.`
}

function untestedText(pairs: readonly PairComparison[]): string {
  if (pairs.length === 0) return ''
  return pairs.length === 1
    ? `Not tested: ${openRange(pairs[0] as PairComparison).text}.`
    : `Not tested: ${counted(pairs.length, 'pair')}.`
}
