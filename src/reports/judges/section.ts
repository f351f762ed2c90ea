import type { JudgeAgreement, JudgesBuilder, OwnWork } from '../../analysis/calibration/judges.ts'
import { evidenceOf, type KindFacts } from '../../analysis/evidence.ts'
import {
  type ColumnOf,
  createTable,
  dataColumn,
  labelColumn,
  type Note,
  type Section,
  simulatedColumn,
  textColumn,
} from '../tables/table.ts'
import { formatCount, nothing } from '../words/numbers.ts'

/** Below the first, no conclusion should rest on the verdicts; below the second, tentative ones alone (Krippendorff 2004, chapter 11). */
const [leastAlpha, goodAlpha] = [0.667, 0.8]

/** A difference of the mean scores by order that is worth a note. */
const largeOrderEffect = 0.05

/** Creates the section on the judges of a run: who judged, how far they agree, and what biased them. */
export function judgesSection({ rows, own }: ReturnType<JudgesBuilder['result']>, kind: KindFacts): Section {
  return {
    name: 'judges',
    tables: [
      createTable(
        `Judges: agreement and mean scores${evidenceOf(kind).mark}`,
        [...labels, simulatedColumn(kind), ...columns],
        rows,
        [],
      ),
    ],
    notes: [
      ...[
        ...rows.flatMap(noteOfAlpha),
        ...rows.flatMap(noteOfOrder),
        ...rows.flatMap(missingNotes),
        ...own.map(noteOfOwn),
      ].map((text) => ({ text })),
      definition,
    ],
    data: rows,
  }
}

const two = (value: number) => value.toFixed(2).replace(/^-(?=0\.00$)/, '')

const labels: ColumnOf<JudgeAgreement>[] = [
  labelColumn('grader', 'grader', ({ grader }) => grader),
  labelColumn('criterion', 'criterion', ({ criterion }) => criterion ?? '(all)'),
]

const columns: ColumnOf<JudgeAgreement>[] = [
  textColumn('judges_text', ['judges', ''], 'n', ({ judges }) => formatCount(judges.length)),
  textColumn('units_text', ['trials', 'with several'], 'n', ({ agreement }) => formatCount(agreement.units)),
  textColumn('alpha_text', ['alpha', '[95%]'], 'alpha', alphaText),
  textColumn('means_text', ['mean score', 'by judge'], 'means', ({ judges }) =>
    judges.map(({ judge, mean }) => `${judge} ${mean === null ? nothing : two(mean)}`).join(', '),
  ),
  textColumn('order_text', ['second -', 'first order'], 'order', ({ orderEffect }) =>
    orderEffect === null ? nothing : `${orderEffect > 0 ? '+' : ''}${two(orderEffect)}`,
  ),
  dataColumn('scale', 'scale', ({ scale }) => scale),
  dataColumn('metric', 'metric of alpha', ({ metric }) => metric),
  dataColumn('alpha', 'alpha', ({ agreement }) => agreement.alpha),
  dataColumn('alpha_lower', 'alpha', ({ interval }) => interval?.lower ?? null),
  dataColumn('alpha_upper', 'alpha', ({ interval }) => interval?.upper ?? null),
  dataColumn('tasks', 'count', ({ tasks }) => tasks),
  dataColumn('order_effect', 'score', ({ orderEffect }) => orderEffect),
]

function alphaText({ agreement: { alpha, because }, interval }: JudgeAgreement): string {
  if (alpha === null) return because === 'no-variation' ? 'none: equal scores' : nothing
  return interval ? `${two(alpha)} [${two(interval.lower)}, ${two(interval.upper)}]` : two(alpha)
}

const nameOf = ({ grader, criterion }: JudgeAgreement) =>
  criterion === null ? grader : `${grader}/${criterion}`

function noteOfAlpha(row: JudgeAgreement): string[] {
  const { alpha } = row.agreement
  if (row.criterion !== null || alpha === null || alpha >= goodAlpha) return []
  const words =
    alpha < leastAlpha
      ? `below ${leastAlpha}: the judges agree too little to rest a conclusion on these scores`
      : `below ${goodAlpha}: conclusions from these scores are tentative`
  return [
    `${nameOf(row)}: alpha ${two(alpha)} is ${words}. Sharpen the criteria, or calibrate with human labels.`,
  ]
}

function noteOfOrder(row: JudgeAgreement): string[] {
  if (row.orderEffect === null || Math.abs(row.orderEffect) < largeOrderEffect) return []
  return [
    `${nameOf(row)}: scores differ by ${two(row.orderEffect)} between the two orders of criteria or texts, so the judges depend on order; the scores are the mean of both.`,
  ]
}

const missingNotes = ({ criterion, grader, judges }: JudgeAgreement): string[] =>
  judges.flatMap(({ judge, missing, trials }) =>
    criterion !== null || missing === 0
      ? []
      : [
          `${grader}: ${judge} gave no readable verdict for ${missing} of ${missing + trials} trials; the other judges decided these.`,
        ],
  )

const noteOfOwn = ({ judge, agent, kinship }: OwnWork) =>
  `The judge ${judge} ${kinship === 'model' ? 'is the model' : 'is of the model family'} of ${agent}, whose work it judges: models favour their own (Panickssery et al. 2024). Name a judge of another family beside it.`

const definition: Note = {
  kind: 'definition',
  text: "Alpha is Krippendorff's: 1 is perfect agreement, 0 what chance gives. Its units are trials that several judges scored; its metric is nominal for yes-no, ordinal for 1-5 and comparisons, interval for 0-1 and for weighted scores. The interval is a percentile bootstrap over tasks (1,000 draws), a description that is too narrow with few tasks.",
}
