import { seededChoices } from '../random.mjs'
import { wholeTask } from '../task-folder.mjs'

const parts = ['pump', 'motor', 'frame', 'tank', 'filter', 'valves', 'pipes', 'control', 'sensors', 'housing']
const suppliers = [1, 2, 3, 4]

const totals = (offers, choice) =>
  parts.reduce(
    (sum, part) => {
      const { price, weight, weeks } = offers[part][choice[part]]
      return { price: sum.price + price, weight: sum.weight + weight, weeks: sum.weeks + weeks }
    },
    { price: 0, weight: 0, weeks: 0 },
  )

const mostOf = (choice) =>
  Math.max(...suppliers.map((one) => parts.filter((part) => choice[part] === one).length))

/** Returns all choices within the limits. */
function solutions(offers, limits) {
  const found = []
  const choice = {}
  const go = (at, price, weight, weeks) => {
    if (price > limits.price || weight > limits.weight || weeks > limits.weeks) return
    if (at === parts.length) {
      if (mostOf(choice) <= 3) found.push({ ...choice })
      return
    }
    for (const one of suppliers) {
      const offer = offers[parts[at]][one]
      choice[parts[at]] = one
      go(at + 1, price + offer.price, weight + offer.weight, weeks + offer.weeks)
    }
  }
  go(0, 0, 0, 0)
  return found
}

/** Ten parts with four offers each; three sums over all parts and a limit on suppliers hold together. */
export function oneBudget() {
  const random = seededChoices('one-budget')
  const offers = Object.fromEntries(
    parts.map((part) => [
      part,
      Object.fromEntries(
        suppliers.map((one) => {
          const price = random.int(40, 190)
          const weight = Math.max(4, Math.round(70 - price / 4 + random.int(-14, 14)))
          return [
            one,
            {
              price,
              weight,
              weeks: Math.max(1, Math.round(16 - weight / 6 - price / 30 + random.int(-3, 3))),
            },
          ]
        }),
      ),
    ]),
  )
  // The limits are those of one choice that is cheap in all three at once, so that few others keep them.
  const ranked = []
  for (let i = 0; i < 60000; i++) {
    const choice = Object.fromEntries(parts.map((part) => [part, random.pick(suppliers)]))
    if (mostOf(choice) > 3) continue
    const { price, weight, weeks } = totals(offers, choice)
    ranked.push({ choice, value: price / 1100 + weight / 420 + weeks / 45 })
  }
  ranked.sort((a, b) => a.value - b.value)
  const { choice } = ranked[0]
  const limits = totals(offers, choice)
  const all = solutions(offers, limits)
  if (all.length > 3) throw new Error(`${all.length} choices keep the limits`)
  const best = (by) =>
    Object.fromEntries(
      parts.map((part) => [
        part,
        suppliers.reduce((a, b) => (offers[part][b][by] < offers[part][a][by] ? b : a)),
      ]),
    )
  const table = [
    'part,supplier,price,weight,weeks',
    ...parts.flatMap((part) =>
      suppliers.map((one) => `${part},${one},${Object.values(offers[part][one]).join(',')}`),
    ),
  ].join('\n')
  return wholeTask({
    id: 'one-budget',
    title: 'Ten parts within one price, one weight and one time',
    instruction: `# Ten parts, one machine

\`offers.csv\` lists for each of ten parts of a machine what four suppliers ask: the price in euros, the weight in kilograms and the
weeks that its assembly takes. Choose one supplier for each part, so that all of this holds for the whole machine:

- the prices add up to at most ${limits.price} euros,
- the weights add up to at most ${limits.weight} kg,
- the weeks add up to at most ${limits.weeks},
- no supplier delivers more than three parts.

Write the choice into \`answers.json\`, which has a key for each part; the value is the number of the supplier. Any choice that keeps all four
counts.
`,
    files: { 'offers.csv': `${table}\n` },
    stub: Object.fromEntries(parts.map((part) => [part, null])),
    solution: choice,
    test: `import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const offers = ${JSON.stringify(offers)}
const limits = ${JSON.stringify(limits)}

test('one choice keeps all limits', () => {
  const choice = JSON.parse(readFileSync(new URL('../answers.json', import.meta.url), 'utf8'))
  const parts = Object.keys(offers)
  const chosen = parts.map((part) => {
    assert.ok(Object.hasOwn(offers[part], String(choice[part])), 'no supplier for the ' + part)
    return offers[part][choice[part]]
  })
  for (const [name, most] of Object.entries(limits))
    assert.ok(chosen.reduce((sum, offer) => sum + offer[name], 0) <= most, 'too much ' + name)
  const counts = parts.map((part) => parts.filter((other) => choice[other] === choice[part]).length)
  assert.ok(Math.max(...counts) <= 3, 'too many parts of one supplier')
})
`,
    properties: { difficulty: 0.8, decomposability: 0.1, sequentialDepth: 10, independentParts: 1 },
    wrong: {
      'the cheapest of each part': best('price'),
      'the lightest of each part': best('weight'),
      'the fastest of each part': best('weeks'),
    },
  })
}
