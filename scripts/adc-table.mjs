// The token table of the sequential workflow's source document, beside what a dev run with its workload measures.
// Usage: npm run adc-table (after a build). The profile holds sizes per role only; all sums below arise in the run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../dist/bench/api.js'

/** The document's figures: what it states, and what its own items add up to. It counts a refiner in round 1 that does not run. */
const document = {
  rounds: [
    { stated: 3.2, summed: 2.71, costUsd: 2.11 },
    { stated: 6.2, summed: 5.71, costUsd: 4.09 },
    { stated: 9.2, summed: 8.71, costUsd: 6.07 },
  ],
  averageRounds: 2.3,
  integrated: { stated: 15.1, costUsd: 10.02 },
  saved: { tokens: 53.6, cost: 53.9 },
}

/** Runs the workload and gives tokens (millions) and dollars of both methods by the round in which they succeed. */
export async function measureWorkload() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-adc-'))
  try {
    const { records } = await run({
      tasks: 'answers/lamp-paths',
      methods: ['sequential', 'integrated'],
      profile: 'adc-workload',
      epochs: document.rounds.length,
      out: join(folder, 'run'),
    })
    const measured = { sequential: [], integrated: [] }
    for (const { method, epoch, claimed, spent } of records()) {
      if (claimed !== 'done') throw new Error(`${method} ended as ${claimed} in epoch ${epoch}`)
      measured[method][epoch - 1] = { tokens: (spent.input + spent.output) / 1e6, costUsd: spent.costUsd }
    }
    return measured
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A value between those of round 2 and round 3, at the document's average of 2.3 rounds. */
function atAverage(values) {
  const share = document.averageRounds - 2
  return values[1] + share * (values[2] - values[1])
}

function table({ sequential, integrated }) {
  const million = (value) => `${value.toFixed(2)}M`
  const usd = (value) => `$${value.toFixed(2)}`
  const rows = [['', 'document states', 'its items sum to', 'measured', 'document', 'measured']]
  document.rounds.forEach((round, i) => {
    const { tokens, costUsd } = sequential[i]
    rows.push([
      `sequential, success in round ${i + 1}`,
      million(round.stated),
      million(round.summed),
      million(tokens),
      usd(round.costUsd),
      usd(costUsd),
    ])
  })
  integrated.forEach(({ tokens, costUsd }, i) => {
    rows.push([`integrated, success in round ${i + 1}`, '', '', million(tokens), '', usd(costUsd)])
  })
  const mean = (method) => ({
    tokens: atAverage(method.map(({ tokens }) => tokens)),
    costUsd: atAverage(method.map(({ costUsd }) => costUsd)),
  })
  const [ours, theirs] = [mean(sequential), mean(integrated)]
  rows.push(['sequential at 2.3 rounds', '7.00M', '6.61M', million(ours.tokens), '$4.62', usd(ours.costUsd)])
  rows.push([
    'integrated at 2.3 rounds',
    million(document.integrated.stated),
    '',
    million(theirs.tokens),
    usd(document.integrated.costUsd),
    usd(theirs.costUsd),
  ])
  const saved = (a, b) => `${(100 * (1 - a / b)).toFixed(1)}%`
  rows.push([
    'saved',
    `${document.saved.tokens}%`,
    '',
    saved(ours.tokens, theirs.tokens),
    `${document.saved.cost}%`,
    saved(ours.costUsd, theirs.costUsd),
  ])
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
    )
    .join('\n')
}

if (process.argv[1]?.endsWith('adc-table.mjs')) {
  const measured = await measureWorkload()
  process.stdout.write(`Simulated: these numbers describe profile adc-workload, not the methods.\n\n${table(measured)}

- At 2.3 rounds: between the values of rounds 2 and 3, as the document's average.
- The document's 3.2M, 6.2M and 9.2M count a refiner in every round; it does not run after the last one. Its items sum to less.
- Measured is above those sums by the summaries of violations and of the evaluator's context, which the document does not price.
- The profile gives sizes per role. What integrated spends beyond its workers arises from its context, which every decision reads again.
- The document does not say how much a code generator writes. The profile assumes 40,000 tokens, chosen so that integrated
  comes near the document's 15.1M: that it does is no evidence. With 10,000 it is 12.9M, with 60,000 it is 16.8M.
`)
}
