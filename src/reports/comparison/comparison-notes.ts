import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import { evidence } from '../../analysis/evidence.ts'
import type { Refusal } from '../../analysis/refusal.ts'
import type { Note, Table } from '../tables/table.ts'
import { capitalised, counted, formatPercent, formatShare, formatSigned, present } from '../words/numbers.ts'
import { confidenceName, formatP, levelOf, refusalText, shortRefusals } from '../words/result-text.ts'
import { oneProcessNotes } from '../words/trial-text.ts'
import {
  contradictionNotes,
  groupPairs,
  pooledNotes,
  procedureWarnings,
  suiteWarnings,
  suiteWinNotes,
} from './claim-notes.ts'
import { definitionTexts, propertyNotes } from './definitions.ts'
import { pairName } from './pair-columns.ts'
import { confoundedText } from './pair-data-columns.ts'
import type { ComparisonFacts } from './run-notes.ts'
import { amendedNotes, servedNotes, sourceNotes, stopNotes, wordingsNotes } from './run-notes.ts'
import { frontierNotes, spendingNotes } from './spending-notes.ts'

/** Returns the notes of the table of interactions alone; of properties with what a reader of those must know. */
export const partNotes = (
  comparison: Comparison,
  facts: ComparisonFacts,
  more: readonly string[] = [],
): Note[] => [
  ...toNotes([...amendedNotes(facts), ...notTestedNotes(comparison, facts), ...more]),
  ...definitionNotes(comparison, facts),
  { text: 'Pairs, spending and all notes:', commands: [facts.command] },
]

/** Returns all notes of the tables of a comparison; the last one names the run and the command that makes them again. */
export function comparisonNotes(
  comparison: Comparison,
  facts: ComparisonFacts,
  tables: readonly Table[],
): Note[] {
  return [
    ...toNotes([
      ...pairFacts(comparison, facts),
      ...suiteWinNotes(comparison),
      ...spendingNotes(comparison),
      ...frontierNotes(comparison),
      ...planningNotes(comparison),
      ...omnibusNotes(comparison),
      ...propertyNotes(comparison),
      ...cellNotes(tables, [comparison.silence]),
    ]),
    ...definitionNotes(comparison, facts),
    ...sourceNotes(facts),
  ]
}

/** What a reader must know to believe the table of pairs. */
function pairFacts(comparison: Comparison, facts: ComparisonFacts): string[] {
  return present([
    ...amendedNotes(facts),
    ...servedNotes(facts),
    ...suiteWarnings(comparison),
    ...confoundedNotes(comparison),
    ...(comparison.touched ?? []).map(
      ({ label, trials }) =>
        `${label}: people took part in ${counted(trials, 'trial')}, so its results are not the method's alone.`,
    ),
    ...oneProcessNotes(comparison.oneProcess),
    ...notTestedNotes(comparison, facts),
    ...stopNotes(comparison, facts),
    facts.stated === 'afterwards' &&
      comparison.silence === null &&
      'The pair was chosen after the runs: its p is of one test, so adjust it if you look at several pairs.',
    ...(facts.stated === 'afterwards'
      ? wordingsNotes(facts, `tests and limits are at ${confidenceName(comparison)} instead of 95%`)
      : []),
    ...contradictionNotes(comparison),
    ...procedureWarnings(comparison),
    ...missingBoundsNotes(comparison),
    ...pooledNotes(comparison),
  ])
}

function omnibusNotes(comparison: Comparison): string[] {
  const { omnibus } = comparison
  if (!omnibus) return []
  const { test, statistic, df, p, nTasks } = omnibus
  const name = test === 'cochran-q' ? "Cochran's Q" : "Friedman's test"
  const said =
    statistic === null || p === null
      ? 'no test, because no task separates them'
      : `${statistic.toFixed(2)} with ${counted(df, 'degree')} of freedom, p ${p < 0.001 ? '' : '= '}${formatP(p, levelOf(comparison))}`
  return [`Do the methods differ at all? ${name} on ${counted(nTasks, 'task')} that all have: ${said}.`]
}

const toNotes = (texts: readonly string[]): Note[] => texts.map((text) => ({ text }))

const definitionNotes = (comparison: Comparison, facts: ComparisonFacts): Note[] =>
  definitionTexts(comparison, facts).map((text) => ({ text, kind: 'definition' }))

/** Returns a note on why no pair has a p; empty if pairs are tested, or if a stop rule replaces the tests. */
function notTestedNotes({ silence }: Comparison, { looks }: { looks: readonly number[] }): string[] {
  if (silence === null || silence === 'stop-rule') return []
  if (silence === 'simulated') return [`No p and no verdict: ${evidence.simulated.untested}.`]
  const when = silence === 'looked' && looks.length > 0 ? ` (looks at ${looks.join(', ')} records)` : ''
  return [`No p: ${refusalText(silence)}${when}.`]
}

function missingBoundsNotes({ pairs }: Comparison): string[] {
  return pairs.flatMap((pair) => {
    const { missing } = pair.outcome
    if (missing === null || missing.low === null || missing.high === null) return []
    const [low, high] = [missing.low, missing.high].map((bound) => formatSigned(100 * bound))
    const hasNoSign = missing.low <= 0 && missing.high >= 0
    const unsure = missing.decides ? ', and no result holds with them counted against it' : ''
    const decides = hasNoSign ? ', so even its sign is unknown' : unsure
    const outside = missing.excludesEstimate
      ? '. The estimate is outside of that, because it is over the tasks that both have; trust the bounds'
      : ''
    return [
      `${pairName(pair)}: over all tasks, with the missing trials, the difference may be anything from ${low} to ${high} points${decides}${outside}.`,
    ]
  })
}

function confoundedNotes({ pairs }: Comparison): string[] {
  return [
    ...groupPairs(pairs, ({ confounded }) =>
      confounded === null
        ? null
        : `confounded with the model. ${capitalised(confoundedText(confounded))}, so the method and the model cannot be separated.`,
    ),
    ...groupPairs(pairs, ({ mixes }) =>
      mixes
        ? 'a comparison of mixes of agents: which agents are asked is what these methods are, so they are compared whole.'
        : null,
    ),
    ...groupPairs(pairs, ({ tools }) =>
      tools?.kind === 'confounded'
        ? `confounded with the tools. ${capitalised(tools.text)}. Their methods, options or agents differ, too, so what the tools do cannot be separated from the rest.`
        : null,
    ),
    ...groupPairs(pairs, ({ tools }) =>
      tools?.kind === 'compared'
        ? `the same method with the same agents and other tools. ${capitalised(tools.text)}, so the tools are what is compared.`
        : null,
    ),
  ]
}

/** Cells that say why a number is not given, and that no reason of the analysis explains. */
const otherCells: readonly (readonly [cell: string, meaning: string])[] = [
  ['not placed', 'no task has both the success and the spending of the method'],
  ['no resamples', 'one task cannot be resampled'],
]

/** Returns a note for each short reason that stands in a cell of these tables: `"one epoch": …`. `known` reasons have a note already. */
function cellNotes(tables: readonly Table[], known: readonly (Refusal | null)[]): string[] {
  const reasons = (Object.keys(shortRefusals) as Refusal[])
    // The cell of this one says all.
    .filter((refusal) => refusal !== 'no-success' && !known.includes(refusal))
    .map((refusal) => [shortRefusals[refusal], refusalText(refusal)] as const)
  const texts = new Set(tables.flatMap(cellTexts))
  const has = (short: string) =>
    [...texts].some((text) => text === short || text.endsWith(`(${short})`) || text.endsWith(`, ${short}`))
  return [...reasons, ...otherCells]
    .filter(([short]) => has(short))
    .map(([short, meaning]) => `"${short}": ${meaning}.`)
}

function cellTexts({ columns, rows }: Table): string[] {
  const shown = columns.filter(({ audience, group }) => audience !== 'data' && group !== 'label')
  return rows.flatMap((row) => shown.map(({ key }) => row[key]?.text ?? ''))
}

/** More pairs than this are counted instead of named. */
const mostNamed = 3

function planningNotes({ pairs }: Comparison): string[] {
  const of = (advice: 'tasks' | 'epochs', end: string) => {
    const found = pairs.filter(
      ({ planning, outcome }) =>
        planning.advice === advice && planning.withinShare !== null && outcome.separated !== 0,
    )
    return found.length === 0
      ? []
      : [
          `Noise within tasks is ${sharesText(found, pairs.length)} of the variance of task differences: ${end}.`,
        ]
  }
  return [...of('epochs', 'so more epochs also help'), ...of('tasks', 'more tasks help, more epochs hardly')]
}

function sharesText(found: readonly PairComparison[], all: number): string {
  const shares = found.map(({ planning }) => planning.withinShare as number)
  if (all === 1) return formatPercent(shares[0] as number)
  if (found.length <= mostNamed)
    return found.map((pair, i) => `${formatPercent(shares[i] as number)} (${pairName(pair)})`).join(', ')
  const [low, high] = [Math.min(...shares), Math.max(...shares)]
  return `${formatShare(low)} to ${formatPercent(high)} (${found.length} of ${all} pairs)`
}
