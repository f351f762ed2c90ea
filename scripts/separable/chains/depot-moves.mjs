import { seededChoices } from '../random.mjs'
import { answerTask } from '../task-folder.mjs'

const depots = ['Aldo', 'Brim', 'Corn', 'Dale', 'Esk', 'Fell']

const fullest = (stock) => depots.reduce((best, one) => (stock[one] > stock[best] ? one : best))
const emptiest = (stock) => depots.reduce((best, one) => (stock[one] < stock[best] ? one : best))

/** Returns one instruction in words, and a function that changes the stock as it says. */
function move(random) {
  const [from, to, third] = random.some(depots, 3)
  const part = random.int(2, 4)
  const name = { 2: 'half', 3: 'a third', 4: 'a quarter' }[part]
  const crates = random.int(3, 19)
  const kinds = [
    {
      text: `Move ${name} of what ${from} holds, rounded down, to the depot that holds least.`,
      act: (stock) => shift(stock, from, emptiest(stock), Math.floor(stock[from] / part)),
    },
    {
      text: `The depot that holds most gives ${crates} crates to ${to}.`,
      act: (stock) => shift(stock, fullest(stock), to, crates),
    },
    {
      text: `If ${from} holds more than ${to}, move the difference from ${from} to ${third}; else bring ${crates} new crates to ${from}.`,
      act: (stock) => {
        if (stock[from] > stock[to]) shift(stock, from, third, stock[from] - stock[to])
        else stock[from] += crates
      },
    },
    {
      text: `If the number at ${from} is even, ${from} and ${to} exchange all that they hold; else take ${name} of what ${third} holds, rounded down, out of the depots.`,
      act: (stock) => {
        if (stock[from] % 2 === 0) [stock[from], stock[to]] = [stock[to], stock[from]]
        else stock[third] -= Math.floor(stock[third] / part)
      },
    },
  ]
  return random.pick(kinds)
}

function shift(stock, from, to, crates) {
  stock[from] -= crates
  stock[to] += crates
}

/** A chain of 36 moves, each of which depends on what all moves before it have left. */
export function depotMoves() {
  const random = seededChoices('depot-moves')
  const stock = Object.fromEntries(depots.map((one) => [one, random.int(40, 95)]))
  const start = { ...stock }
  const moves = Array.from({ length: 36 }, () => move(random))
  const sum = () => depots.reduce((total, one, at) => total + (at + 1) * stock[one], 0)
  const sums = moves.map(({ act }) => {
    act(stock)
    if (Object.values(stock).some((crates) => crates < 0)) throw new Error('a depot holds less than nothing')
    return sum()
  })
  return answerTask({
    id: 'depot-moves',
    title: 'Follow 36 moves of crates between six depots',
    instruction: `# Crates in six depots

Six depots hold crates: ${depots.map((one) => `${one} ${start[one]}`).join(', ')}. The moves below are made one after another. "Holds"
always means at that moment. Where several depots hold most, or least, the one that comes first in the list above is meant.

${moves.map(({ text }, at) => `${at + 1}. ${text}`).join('\n')}

At the end multiply what ${depots[0]} holds by 1, what ${depots[1]} holds by 2, and so on in the order of the list, and add the six
results. What is the sum?
`,
    kind: 'numeric',
    answer: sums.at(-1),
    properties: { difficulty: 0.6, decomposability: 0, sequentialDepth: 36, independentParts: 1 },
    wrong: {
      'the last move left out': String(sums.at(-2)),
      'no move made': String(depots.reduce((total, one, at) => total + (at + 1) * start[one], 0)),
    },
  })
}
