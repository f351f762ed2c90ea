import type { Note } from '../../tables/table.ts'
import type { ComparisonFacts, RunFacts } from '../facts.ts'

/** Returns notes on the source of the numbers: models, dates, prices, versions, data, and differences between runs; with the command. */
export function sourceNotes({ runs, differing, command }: ComparisonFacts): Note[] {
  const texts = [...differing.map((text) => `Between the runs: ${text}.`), ...runs.map(runNote)]
  return texts.map((text, i) => ({ text, ...(i === texts.length - 1 && { commands: [command] }) }))
}

function runNote({
  run,
  createdAt,
  bench,
  calledIn,
  timing,
  models,
  prices,
  data,
  recorded,
  planned,
}: RunFacts): string {
  return [
    `Run ${run} of ${createdAt.slice(0, 10)}: ${recorded} of ${planned} trials`,
    models.join(', '),
    prices === null ? 'no prices' : `prices ${prices}`,
    `bench ${bench}`,
    ...(calledIn === null ? [] : [`called in a checkout at commit ${calledIn}`]),
    ...(timing === null ? [] : [`times ${timing}`]),
    `data sha256 ${data.slice(0, 16)}`,
  ]
    .join('; ')
    .concat('.')
}
