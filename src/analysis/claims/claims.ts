import type { PriceClaim } from './price-claims.ts'

/** A family of claims: its tests are adjusted together (Holm), so the chance of any false claim in it stays at its level. */
export type ClaimFamily = 'success' | 'margin' | 'price' | 'spending' | 'suites' | 'properties' | 'choices'

/** What may be said of two methods beyond a number, and by what right. */
export interface Claim {
  /**
   * `better`, `not-worse`, `equivalent`: of success, or of the score. `costs-more`, `costs-less`: of a success. `dominates`: spends less, and is
   * better or not worse. `ahead-on-suite`: better on one suite. `differs-by-property`: the difference varies with a property.
   * `choice-gains`: choosing the method by a property or by the suite (`of`) passes more than the best single method.
   */
  kind:
    | 'better'
    | 'not-worse'
    | 'equivalent'
    | 'costs-more'
    | 'costs-less'
    | 'dominates'
    | 'ahead-on-suite'
    | 'differs-by-property'
    | 'choice-gains'
  /** The method that the word is of, and the other one. */
  of: string
  than: string
  /** The suite, the property, or what is spent less of. */
  where?: string
  family: ClaimFamily
  /** The test by its name in pairs. */
  test: string
  /** p of the test, and the same adjusted over the family. */
  p: number | null
  adjustedP: number | null
  /** The second condition that holds, too; null: there is none. */
  guard: string | null
}

/** A family with its number of tests and the chance of a false claim in it. */
export interface FamilySize {
  family: ClaimFamily
  tests: number
  level: number
}

interface Tested {
  p: number | null
  adjustedP: number | null
}

/** A test against the margin with its second limit. */
interface TestedMargin extends Tested {
  guard: { kind: string } | null
}

/** A judged pair, as far as its claims go. */
interface JudgedPair {
  a: string
  b: string
  outcome: { claimP: number | null; test: string | null; missing: object | null }
  adjustedP: number | null
  notWorse: { a: TestedMargin; b: TestedMargin }
  equivalent: TestedMargin
  verdict: { word: string; method?: string } | null
  dominates: Readonly<Record<'tokens' | 'costUsd', string | null>>
  spent: Readonly<Record<'tokens' | 'costUsd', { claimP: number | null; familyP: number | null }>>
}

interface Row extends Tested {
  a: string
  b: string
  refusal: string | null
}

/** A comparison before its claims are listed. */
interface Compared {
  confidence: number
  margin: number | null
  stop: { rule: { comparisons: number } } | null
  pairs: readonly JudgedPair[]
  prices: readonly PriceClaim[]
  suites: readonly (Row & { suite: string; estimate: number | null })[]
  byProperty?: readonly (Row & { property: string })[]
  choices?: readonly (Tested & { by: string; single: string; estimate: number | null })[]
}

/** Returns every claim that a comparison makes, the most important family first. Nothing else in a report may claim. */
export function claimsOf(comparison: Compared): Claim[] {
  const level = 1 - comparison.confidence
  return [
    ...comparison.pairs.flatMap(outcomeClaims),
    ...comparison.prices.flatMap((price) => priceClaims(price, level)),
    ...comparison.pairs.flatMap(dominanceClaims),
    ...comparison.suites.flatMap((row) => suiteClaims(row, level)),
    ...(comparison.byProperty ?? []).flatMap((row) => propertyClaims(row, level)),
    ...(comparison.choices ?? []).flatMap((row) => choiceClaims(row, level)),
  ]
}

/** Returns the families that were tested, with their sizes. */
export function familiesOf({
  confidence,
  margin,
  pairs,
  suites,
  byProperty,
  choices,
  prices,
  stop,
}: Compared): FamilySize[] {
  const level = Number((1 - confidence).toFixed(10))
  const tested = (list: readonly { adjustedP: number | null }[]) =>
    list.filter(({ adjustedP }) => adjustedP !== null).length
  const margins = pairs.filter(({ equivalent }) => equivalent.adjustedP !== null).length
  const sizes: [ClaimFamily, number][] = [
    ['success', stop ? stop.rule.comparisons : tested(pairs)],
    ['margin', margin === null ? 0 : margins],
    ['price', tested(prices)],
    ['spending', tested(pairs.flatMap(({ spent }) => [spent.tokens, spent.costUsd]).map(adjustedInFamily))],
    ['suites', tested(suites)],
    ['properties', tested(byProperty ?? [])],
    ['choices', tested(choices ?? [])],
  ]
  return sizes.flatMap(([family, tests]) => (tests > 0 ? [{ family, tests, level }] : []))
}

const adjustedInFamily = ({ familyP }: { familyP: number | null }) => ({ adjustedP: familyP })

/** Verdicts are made where the pairs are judged, with their guards; here they become rows. */
function outcomeClaims({ a, b, outcome, adjustedP, verdict, notWorse, equivalent }: JudgedPair): Claim[] {
  const of = verdict?.method ?? a
  const than = of === a ? b : a
  switch (verdict?.word) {
    case 'better':
      return [
        {
          ...{ kind: 'better', of, than, family: 'success' },
          ...{ test: outcome.test ?? 'confidence-sequence', p: outcome.claimP, adjustedP },
          guard: outcome.missing === null ? null : 'missing-trials',
        },
      ]
    case 'not-worse': {
      const { p, adjustedP, guard } = notWorse[of === a ? 'a' : 'b']
      return [
        {
          ...{ kind: 'not-worse', of, than, family: 'margin' },
          ...{ test: 'paired-t', p, adjustedP, guard: guard?.kind ?? null },
        },
      ]
    }
    case 'equivalent':
      return [
        {
          ...{ kind: 'equivalent', of: a, than: b, family: 'margin', test: 'two one-sided paired-t' },
          ...{ p: equivalent.p, adjustedP: equivalent.adjustedP, guard: equivalent.guard?.kind ?? null },
        },
      ]
    default:
      return []
  }
}

function priceClaims({ a, b, ratio, p, adjustedP }: PriceClaim, level: number): Claim[] {
  if (adjustedP === null || adjustedP >= level || ratio === null) return []
  const kind = ratio > 1 ? 'costs-more' : 'costs-less'
  return [{ kind, of: a, than: b, family: 'price', test: 'jackknife-t', p, adjustedP, guard: null }]
}

function dominanceClaims({ a, b, dominates, spent }: JudgedPair): Claim[] {
  return (['tokens', 'costUsd'] as const).flatMap((kind): Claim[] => {
    const of = dominates[kind]
    if (of === null) return []
    const { claimP, familyP } = spent[kind]
    return [
      {
        ...{
          kind: 'dominates',
          of,
          than: of === a ? b : a,
          where: kind,
          family: 'spending',
          test: 'paired-t',
        },
        ...{ p: claimP, adjustedP: familyP, guard: 'better-or-not-worse' },
      },
    ]
  })
}

function suiteClaims(
  { suite, a, b, estimate, p, adjustedP, refusal }: Compared['suites'][number],
  level: number,
): Claim[] {
  if (adjustedP === null || adjustedP >= level || refusal !== null || !estimate) return []
  const [of, than] = estimate > 0 ? [a, b] : [b, a]
  return [
    {
      kind: 'ahead-on-suite',
      of,
      than,
      where: suite,
      family: 'suites',
      test: 'by-suite',
      p,
      adjustedP,
      guard: null,
    },
  ]
}

function propertyClaims(
  { property, a, b, p, adjustedP, refusal }: Row & { property: string },
  level: number,
): Claim[] {
  if (adjustedP === null || adjustedP >= level || refusal !== null) return []
  return [
    {
      ...{ kind: 'differs-by-property', of: a, than: b, where: property, family: 'properties' },
      ...{ test: 'welch-t', p, adjustedP, guard: null },
    },
  ]
}

function choiceClaims(
  { by, single, estimate, p, adjustedP }: NonNullable<Compared['choices']>[number],
  level: number,
): Claim[] {
  if (adjustedP === null || adjustedP >= level || (estimate ?? 0) <= 0) return []
  return [
    {
      ...{ kind: 'choice-gains', of: by, than: single, where: by, family: 'choices' },
      ...{ test: 'halves-t', p, adjustedP, guard: null },
    },
  ]
}
