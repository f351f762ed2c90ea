import { evidenceOf, type KindFacts } from '../../analysis/evidence.ts'
import type { MethodWordings, PairWordings, Wordings } from '../../analysis/wordings.ts'
import {
  type ColumnOf,
  createTable,
  dataColumn,
  labelColumn,
  type Section,
  simulatedColumn,
  textColumn,
} from '../tables/table.ts'
import { counted, formatPercent, formatSigned, present } from '../words/numbers.ts'
import { formatDifference } from '../words/result-text.ts'

/** Creates the section that says how much of the differences in success is the wording's. */
export function wordingsSection(found: Wordings, kind: KindFacts): Section {
  const { mark } = evidenceOf(kind)
  const { methods, pairs, wordings } = found
  const notes = present([
    ...pairs.map((pair) => pairText(pair, found)),
    sharesText(found),
    `${counted(wordings.length, 'wording')} were tried on the same tasks, and each counts as a look: tests of pairs are adjusted over all methods and wordings of the plan. The best wording was chosen by these tasks, so new tasks will show less of it.`,
  ])
  return {
    name: 'wordings',
    tables: [
      createTable(
        `Success of each method over ${counted(wordings.length, 'wording')}${mark}`,
        [...methodLabels, simulatedColumn<MethodWordings>(kind), ...methodColumns],
        methods,
        [],
      ),
      ...(pairs.length === 0
        ? []
        : [
            createTable(
              `Differences in success over ${counted(wordings.length, 'wording')}${mark}`,
              [...pairLabels, simulatedColumn<PairWordings>(kind), ...pairColumns(wordings.length)],
              pairs,
              [],
            ),
          ]),
    ],
    notes: [...notes.map((text) => ({ text })), { text: definition, kind: 'definition' }],
    data: found,
  }
}

/** Sets what separates two methods beside what wordings do to one of them. */
function pairText({ a, b, mean, ...differences }: PairWordings, { methods }: Wordings): string {
  const moved = methods
    .filter(({ method }) => method === a || method === b)
    .map((one) => ({ ...one, range: one.highest.success - one.lowest.success }))
    .reduce((most, one) => (one.range > most.range ? one : most))
  const apart = Math.abs(mean.estimate ?? 0)
  const { method, range, lowest, highest } = moved
  if (range === 0) return `${a} and ${b}: no wording changes the success of either.`
  const says =
    differences.lowest < 0 && differences.highest > 0
      ? 'their order depends on the wording'
      : differences.lowest === differences.highest && apart === 0
        ? 'no wording tells them apart'
        : range >= apart
          ? 'their order does not depend on the wording, but the wording moves more than they differ'
          : 'the wording moves less than they differ'
  return `${a} and ${b} differ by ${points(apart)}, and the wording moves ${method} by ${points(range)} (from ${lowest.wording} to ${highest.wording}): ${says}.`
}

const points = (share: number) => `${(100 * share).toFixed(1)} points`

function sharesText({ shares }: Wordings): string | undefined {
  if (!shares) return undefined
  const [method, wording, both] = [shares.method, shares.wording, shares.both].map(formatPercent)
  return `Of the variance among these rows ${method} is the method's, ${wording} the wording's, and ${both} is where a wording helps one method more than another. Chance is in all three.`
}

const methodLabels: ColumnOf<MethodWordings>[] = [labelColumn('method', 'method', ({ method }) => method)]

const methodColumns: ColumnOf<MethodWordings>[] = [
  textColumn('mean_text', ['mean', ''], 'success', ({ mean }) => formatPercent(mean)),
  ...(['lowest', 'highest'] as const).flatMap((end) => [
    textColumn<MethodWordings>(`${end}_text`, [end, ''], 'success', ({ [end]: { success } }) =>
      formatPercent(success),
    ),
    labelColumn<MethodWordings>(`${end}_wording`, 'with', ({ [end]: { wording } }) => wording),
  ]),
  textColumn('range_text', ['range', 'points'], 'success', ({ lowest, highest }) =>
    (100 * (highest.success - lowest.success)).toFixed(1),
  ),
  dataColumn('mean', 'share', ({ mean }) => mean),
  dataColumn('lowest', 'share', ({ lowest }) => lowest.success),
  dataColumn('highest', 'share', ({ highest }) => highest.success),
]

const pairLabels: ColumnOf<PairWordings>[] = [labelColumn('pair', 'pair', ({ a, b }) => `${a} than ${b}`)]

const pairColumns = (wordings: number): ColumnOf<PairWordings>[] => [
  textColumn('mean_text', ['over wordings', 'points [95%]'], 'difference', ({ mean }) =>
    formatDifference(mean, { scale: 100, decimals: 1 }),
  ),
  textColumn('lowest_text', ['lowest', 'points'], 'difference', ({ lowest }) => formatSigned(100 * lowest)),
  textColumn('highest_text', ['highest', 'points'], 'difference', ({ highest }) =>
    formatSigned(100 * highest),
  ),
  textColumn('agreeing_text', ['same sign', 'wordings'], 'difference', ({ agreeing }) =>
    [agreeing, 'of', wordings].join(' '),
  ),
  dataColumn('mean', 'share', ({ mean }) => mean.estimate),
  dataColumn('lower', 'share', ({ mean }) => mean.lower),
  dataColumn('upper', 'share', ({ mean }) => mean.upper),
  dataColumn('lowest', 'share', ({ lowest }) => lowest),
  dataColumn('highest', 'share', ({ highest }) => highest),
  dataColumn('agreeing', 'count', ({ agreeing }) => agreeing),
]

const definition =
  'All means are over the tasks that were graded for every method with every wording. Over wordings: the difference with all wordings counted alike, with its limits by tasks; lowest and highest: the difference with one wording. A range grows with the number of wordings and with chance. The pairs of rows METHOD@WORDING have their own tests.'
