import {
  type Corrected,
  correctedDifference,
  correctedSuccess,
  type JudgedTrial,
  type JudgeRates,
  judgeRates,
  leastLabels,
  type Rate,
} from '../../analysis/calibration/corrected-success.ts'
import { evidenceOf } from '../../analysis/evidence.ts'
import { mean } from '../../analysis/numeric/moments.ts'
import { alignedTable } from '../../reports/words/aligned-table.ts'
import { counted, nothing } from '../../reports/words/numbers.ts'
import { rowName, rowNames } from '../../schema/agent/agent-set.ts'
import type { TrialRecord } from '../../schema/ledger/record.ts'
import { UserError } from '../../text/errors.ts'
import { wrapWords } from '../../text/wrap-words.ts'
import { askToLook, reportInterimLook } from '../compare/interim-look.ts'
import { findRunFolder } from '../open/named-runs.ts'
import { openOwnRun } from '../open/open-run.ts'
import { terminalWidth } from '../terminal/terminal-width.ts'
import { judgedRecords, readLabels } from './read-labels.ts'

interface CalibrateOptions {
  labels?: string
  baseline?: string
  json?: boolean
  peek?: boolean
}

const confidence = 0.95

/** `bench judge calibrate RUN --labels FILE`: compares the judges of a run with labels of people, and corrects the methods' success by them. */
export default async function calibrate(run: string, options: CalibrateOptions): Promise<number> {
  if (options.labels === undefined)
    throw new UserError({
      where: '--labels',
      what: 'is missing',
      fix: `Write --labels FILE.csv. bench judge sample ${run} --out FILE.csv writes one to fill in.`,
    })
  const folder = findRunFolder(run)
  const { manifest } = openOwnRun(folder, 'judged')
  const records = judgedRecords(folder)
  await askToLook(folder, manifest, { command: 'judge calibrate', peek: options.peek === true })
  const { byTrial, empty } = await readLabels(options.labels, records)
  const trials = records.map((record) => trialOf(record, byTrial))
  const names = rowNames(manifest).filter((name) => trials.some(({ method }) => method === name))
  const asked = options.baseline ?? manifest.baseline
  const baseline = names.find((name) => name === asked) ?? names[0]
  const labelled = trials.flatMap(({ label, verdict, method }) =>
    label === null ? [] : [{ label: label === 1, verdict: verdict === 1, method }],
  )
  const methods = names.map((method) => ({
    method,
    ...judgedOf(trials.filter((one) => one.method === method)),
    corrected: correctedSuccess(trials, method, confidence),
    difference:
      method === baseline || baseline === undefined
        ? null
        : correctedDifference(trials, [method, baseline], confidence),
  }))
  const found = {
    ...{
      run: folder,
      simulated: manifest.simulated,
      ...(manifest.recorded && { recorded: true as const }),
      labels: labelled.length,
      empty,
    },
    ...{ judges: judgeRates(labelled, confidence), baseline, methods },
  }
  reportInterimLook(folder, manifest, records.length, 'judge calibrate')
  process.stdout.write(options.json ? `${JSON.stringify(found, null, 2)}\n` : `${calibrationText(found)}\n`)
  return 0
}

const judgedOf = (trials: readonly JudgedTrial[]) => ({
  trials: trials.length,
  judged: mean(trials.map(({ verdict }) => verdict)) ?? 0,
})

function trialOf(
  { trial, task, method, agentSet, passed }: TrialRecord,
  labels: ReadonlyMap<string, boolean>,
): JudgedTrial {
  const label = labels.get(trial)
  return {
    ...{ task, method: rowName(method, agentSet), verdict: Number(passed) },
    label: label === undefined ? null : Number(label),
  }
}

interface Calibration {
  run: string
  simulated: boolean
  recorded?: true
  labels: number
  empty: number
  judges: JudgeRates
  baseline: string | undefined
  methods: {
    method: string
    trials: number
    judged: number
    corrected: Corrected
    difference: Corrected | null
  }[]
}

const headings = {
  ...{ method: 'method', judged: 'judged %', corrected: 'corrected % [95%]' },
  ...{ difference: 'than baseline, points [95%]', labels: 'labels' },
}

/** Says how to get enough labels: from the run if it has as many trials, else from a larger one. */
function moreLabels(methods: Calibration['methods'], run: string): string {
  const fewest = Math.min(...methods.map(({ trials }) => trials))
  return fewest < leastLabels.trials
    ? `This run has only ${counted(fewest, 'judged trial')} of a method: run more tasks or epochs.`
    : `Label more: bench judge sample ${run} --n N.`
}

function calibrationText(found: Calibration): string {
  const { run, labels, empty, judges, baseline, methods } = found
  const { sensitivity, specificity, agreement } = judges
  const rows = methods.map(({ method, judged, corrected, difference }) => ({
    method,
    judged: percent(judged),
    corrected: rangeText(corrected),
    difference: difference ? rangeText(difference, '+') : method === baseline ? 'baseline' : nothing,
    labels: String(corrected.labels),
  }))
  const few = methods.filter(({ corrected }) => corrected.because !== null).map(({ method }) => method)
  const notes = [
    ...(found.simulated
      ? [`${evidenceOf(found).title}: these numbers describe a profile, not methods or judges.`]
      : []),
    ...(empty > 0
      ? [`${counted(empty, 'row')} of the file ${empty === 1 ? 'has' : 'have'} no label yet.`]
      : []),
    ...(few.length > 0
      ? [
          `Too few labels for ${few.join(', ')}: a corrected estimate needs ${leastLabels.trials} labelled trials of a method, of at least ${leastLabels.tasks} tasks. ${moreLabels(methods, run)}`,
        ]
      : []),
    'Corrected: the mean label of the labelled trials, moved by how the verdicts of all trials differ from theirs (regression estimator of double sampling; PPI++). It is right on average, however biased the judges are, only if the labelled trials were drawn at random and labelled blind.',
  ]
  return [
    `${run}: judges against ${counted(labels, 'label')} of people${evidenceOf(found).mark}`,
    '',
    rateLine('sensitivity', sensitivity, 'that people pass, the judges pass'),
    rateLine('specificity', specificity, 'that people fail, the judges fail'),
    rateLine('agreement', agreement, 'with a label, the judges agree on'),
    '',
    ...alignedTable(headings, rows, ['judged', 'labels']),
    '',
    ...notes.flatMap((note) => wrapWords(note, terminalWidth())),
  ].join('\n')
}

const percent = (share: number) => (100 * share).toFixed(1)

function rangeText({ estimate, lower, upper }: Corrected, sign = ''): string {
  if (estimate === null || lower === null || upper === null) return 'too few labels'
  const signed = (value: number) => `${sign && value >= 0 ? sign : ''}${percent(value)}`
  return `${signed(estimate)} [${signed(lower)}, ${signed(upper)}]`
}

function rateLine(name: string, { value, lower, upper, trials }: Rate, words: string): string {
  if (value === null || lower === null || upper === null) return `  ${name.padEnd(12)} no such label`
  const share = `${percent(value)}% [${percent(lower)}, ${percent(upper)}]`
  return `  ${name.padEnd(12)} ${share.padEnd(22)} of ${counted(trials, 'trial')} ${words} ${Math.round(value * trials)}`
}
