import type { ComparisonFacts, RunFacts } from './facts.ts'

/** Returns notes on the source of the numbers: models, dates, prices, versions, data, and differences between runs. */
export function sourceNotes({ runs, differing }: ComparisonFacts): string[] {
  return [...runs.map(runNote), ...differing.map((text) => `Between the runs: ${text}.`)]
}

function runNote({ run, createdAt, bench, calledIn, timing, models, prices, data }: RunFacts): string {
  return [
    `Run ${run} of ${createdAt.slice(0, 10)}: ${models.join(', ')}`,
    prices === null ? 'no prices' : `prices ${prices}`,
    `bench ${bench}`,
    ...(calledIn === null ? [] : [`called in a checkout at commit ${calledIn}`]),
    ...(timing === null ? [] : [`times ${timing}`]),
    `data sha256 ${data.slice(0, 16)}`,
  ]
    .join('; ')
    .concat('.')
}
