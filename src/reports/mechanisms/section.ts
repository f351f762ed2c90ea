import { evidenceOf } from '../../analysis/evidence.ts'
import type { Activity } from '../../analysis/mechanisms.ts'
import type { Summary } from '../../analysis/summary.ts'
import { groupBy } from '../../base/grouping.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import { type CountedMechanism, countedMechanisms } from '../../schema/method/mechanism.ts'
import {
  type ColumnOf,
  createTable,
  dataColumn,
  labelColumn,
  type Section,
  simulatedColumn,
  textColumn,
} from '../tables/table.ts'
import { formatCount, listed, nothing } from '../words/numbers.ts'
import { actingNotes, actingTable, type MechanismSummary } from './acting-table.ts'

/** Words for each mechanism: its chances to act, what it did, and what a run says nothing about if it never acted. */
const words: Record<CountedMechanism, { chances: string; acted: string; subject: string }> = {
  summaries: { chances: 'summaries', acted: 'shortened anything', subject: 'summarising' },
  gates: { chances: 'verdicts of gates', acted: 'sent work back', subject: 'gates' },
  revisions: { chances: 'revisions', acted: 'changed the work', subject: 'revising' },
  votes: { chances: 'votes', acted: 'overruled a voter', subject: 'voting' },
  escalations: { chances: 'decisions', acted: 'asked the next step', subject: 'escalating' },
  tools: { chances: 'trials', acted: 'called a tool', subject: 'tools' },
  breakers: { chances: 'trials', acted: 'broke a rule', subject: 'breakers' },
}

/** What one mechanism of a method did. */
interface MechanismRow extends Activity {
  method: string
  mechanism: CountedMechanism
}

const rowsOf = ({ methods }: Pick<Summary, 'methods'>): MechanismRow[] =>
  methods.flatMap(({ method, set, mechanisms: known = {} }) =>
    countedMechanisms.flatMap((mechanism) => {
      const activity = known[mechanism]
      return activity ? [{ method: rowName(method, set), mechanism, ...activity }] : []
    }),
  )

/** Creates the section on what the mechanisms of methods did, and what came of it; undefined if no method has one. */
export function mechanismsSection(summary: MechanismSummary): Section | undefined {
  const rows = rowsOf(summary)
  const acting = actingTable(summary)
  if (rows.length === 0 && !acting) return undefined
  const counts = createTable(
    `Mechanisms: how often they acted${evidenceOf(summary).mark}`,
    [...labels, simulatedColumn(summary), ...columns],
    rows,
    [],
  )
  return {
    name: 'mechanisms',
    tables: [...(rows.length > 0 ? [counts] : []), ...(acting ? [acting] : [])],
    notes: [...(rows.length > 0 ? [{ text: definition }] : []), ...actingNotes(summary)],
    data: rows,
  }
}

const labels: ColumnOf<MechanismRow>[] = [
  labelColumn('method', 'method', ({ method }) => method),
  labelColumn('mechanism', 'mechanism', ({ mechanism }) => mechanism),
]

const columns: ColumnOf<MechanismRow>[] = [
  textColumn('acted_text', ['acted', 'of all'], 'acted', ({ acted, chances, mechanism }) =>
    [formatCount(acted), 'of', formatCount(chances), words[mechanism].chances, words[mechanism].acted].join(
      ' ',
    ),
  ),
  textColumn('tokens_text', ['tokens', 'before > after'], 'tokens', ({ tokens }) =>
    tokens ? `${formatCount(tokens.before)} > ${formatCount(tokens.after)}` : nothing,
  ),
  dataColumn('acted', 'count', ({ acted }) => acted),
  dataColumn('chances', 'count', ({ chances }) => chances),
  dataColumn('tokens_before', 'estimated tokens', ({ tokens }) => tokens?.before ?? null),
  dataColumn('tokens_after', 'estimated tokens', ({ tokens }) => tokens?.after ?? null),
]

const definition =
  'Summaries act where the text is longer than their target; gates where they do not say proceed; a revision, an ask with earlier work before it, where files or answer change; a vote where the voters differ; a cascade where it asks its next step; tools and breakers are counted by trial. A run in which a mechanism never acted says nothing about it.'

/** Warns of mechanisms that never acted, in one line: what such a run shows of a method is not their doing. */
export function mechanismWarnings(summary: Summary): string[] {
  const rows = rowsOf(summary)
  // A breaker that had nothing to break is no mechanism that failed to act.
  const named = countedMechanisms.filter((mechanism) => mechanism !== 'breakers')
  const idle = named.flatMap((mechanism) => {
    const having = rows.filter((row) => row.mechanism === mechanism)
    const off = having.filter(({ acted }) => acted === 0)
    if (off.length === 0) return []
    const names = off.length > 2 ? `${off.length} methods` : listed(off.map(({ method }) => method))
    const all = formatCount(off.reduce((sum, { chances }) => sum + chances, 0))
    const { chances, acted, subject } = words[mechanism]
    const about = off.length < having.length ? `${subject} in ${names}` : subject
    return [{ names, text: `0 of ${all} ${chances} ${acted}`, about }]
  })
  if (idle.length === 0) return []
  const subjects = listed(idle.map(({ about }) => about))
  const parts = [...groupBy(idle, ({ names }) => names)].map(
    ([names, texts]) => `${names}: ${texts.map(({ text }) => text).join(', ')}`,
  )
  return [`${parts.join('; ')}: this run says nothing about ${subjects}.`]
}
