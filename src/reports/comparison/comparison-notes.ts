import type { Comparison } from '../../analysis/compare/comparison.ts'
import type { Note, Table } from '../tables/table.ts'
import { counted } from '../words/numbers.ts'
import { oneProcessNotes } from '../words/one-process-text.ts'
import type { ComparisonFacts } from './facts.ts'
import { amendedNotes } from './notes/amended-notes.ts'
import { cellNotes } from './notes/cell-notes.ts'
import { confoundedNotes } from './notes/confounded-notes.ts'
import { contradictionNotes } from './notes/contradiction-notes.ts'
import { definitionTexts } from './notes/definitions.ts'
import { frontierNotes } from './notes/frontier-notes.ts'
import { missingBoundsNotes } from './notes/missing-bounds-notes.ts'
import { planningNotes } from './notes/planning-notes.ts'
import { propertyNotes } from './notes/property-notes.ts'
import { silenceNotes } from './notes/silence-notes.ts'
import { sourceNotes } from './notes/source-notes.ts'
import { spendingNotes } from './notes/spending-notes.ts'
import { stopNotes } from './notes/stop-notes.ts'
import { pooledNotes, suiteWinNotes } from './notes/suite-notes.ts'
import { touchedNotes } from './notes/touched-notes.ts'
import { procedureWarnings, suiteWarnings } from './notes/warning-notes.ts'
import { formatP, levelOf } from './result-text.ts'

/** Returns the notes of the table of interactions alone. */
export function interactionTableNotes(comparison: Comparison, facts: ComparisonFacts): Note[] {
  return [
    ...toNotes([...amendedNotes(facts), ...silenceNotes(comparison, facts)]),
    ...definitionNotes(comparison, facts),
    { text: 'Pairs, spending and all notes:', commands: [facts.command] },
  ]
}

/** Returns the notes of the table of properties alone. */
export function propertyTableNotes(comparison: Comparison, facts: ComparisonFacts): Note[] {
  return [
    ...toNotes([...amendedNotes(facts), ...silenceNotes(comparison, facts), ...propertyNotes(comparison)]),
    ...definitionNotes(comparison, facts),
    { text: 'Pairs, spending and all notes:', commands: [facts.command] },
  ]
}

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
  return [
    ...amendedNotes(facts),
    ...suiteWarnings(comparison),
    ...confoundedNotes(comparison),
    ...touchedNotes(comparison),
    ...oneProcessNotes(comparison.oneProcess),
    ...silenceNotes(comparison, facts),
    ...stopNotes(comparison, facts),
    ...afterwardsNotes(facts),
    ...contradictionNotes(comparison),
    ...procedureWarnings(comparison),
    ...missingBoundsNotes(comparison),
    ...pooledNotes(comparison),
  ]
}

function afterwardsNotes({ stated }: ComparisonFacts): string[] {
  return stated === 'afterwards'
    ? ['The pair was chosen after the runs: its p is of one test, so adjust it if you look at several pairs.']
    : []
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
