import { seededChoices } from '../random.mjs'
import { answerTask } from '../task-folder.mjs'

const subjects = [
  'Members of the board',
  'Weeks of notice',
  'Yearly fee in euros',
  'Days for an objection',
  'Keys to the boathouse',
  'Hours of work for each member',
  'Guests for each member',
  'Boats that may be reserved',
  'Years of a term',
  'Members for a quorum',
]

/** Returns one amendment in words, and a function that changes the numbers. */
function amendment(random, past) {
  const [a, b, c] = random.some(
    subjects.map((_, at) => at),
    3,
  )
  const by = random.int(2, 9)
  const kinds = [
    {
      text: `The number in § ${a + 1} is raised by the number that then stands in § ${b + 1}.`,
      act: (n) => set(n, a, n[a] + n[b]),
    },
    {
      text: `The numbers in § ${a + 1} and § ${b + 1} change places.`,
      act: (n) => {
        const [first, second] = [n[a], n[b]]
        set(n, a, second)
        set(n, b, first)
      },
    },
    {
      text: `The number in § ${a + 1} is lowered by ${by}, but to no less than 1.`,
      act: (n) => set(n, a, Math.max(1, n[a] - by)),
    },
    {
      text: `If the number in § ${a + 1} is greater than that in § ${b + 1}, § ${c + 1} gets the difference of the two; else § ${c + 1} is raised by ${by}.`,
      act: (n) => set(n, c, n[a] > n[b] ? n[a] - n[b] : n[c] + by),
    },
    {
      text: `§ ${a + 1} gets half of the number in § ${b + 1}, rounded up.`,
      act: (n) => set(n, a, Math.ceil(n[b] / 2)),
    },
  ]
  if (past.length === 12 || past.length === 21) {
    const undone = past.length - random.int(2, 3)
    return {
      text: `All sections get the numbers again that they had directly before amendment ${undone + 1}.`,
      act: (n) => {
        for (const [at, value] of past[undone].entries()) n[at] = value
      },
    }
  }
  return random.pick(kinds)
}

function set(numbers, at, value) {
  numbers[at] = value
}

/** Rules of a club that 30 amendments change, each on top of those before it. */
export function amendedRules() {
  const random = seededChoices('amended-rules')
  const numbers = subjects.map(() => random.int(2, 30))
  const start = [...numbers]
  const past = []
  const amendments = Array.from({ length: 30 }, () => {
    const one = amendment(random, past)
    past.push([...numbers])
    one.act(numbers)
    return one.text
  })
  const text = (list) => list.join(', ')
  return answerTask({
    id: 'amended-rules',
    title: 'The rules of a rowing club after 30 amendments',
    instruction: `# The rules as they stand today

The rules of a rowing club had ten sections when it was founded:

${subjects.map((subject, at) => `§ ${at + 1} ${subject}: ${start[at]}`).join('\n')}

Since then the club has passed 30 amendments, in this order. Each changes the rules as they stood at that time, after all
amendments before it.

${amendments.map((one, at) => `Amendment ${at + 1}. ${one}`).join('\n')}

Which numbers stand in § 1 to § 10 today? Give the ten numbers in this order, separated by commas.
`,
    kind: 'exact',
    answer: text(numbers),
    properties: { difficulty: 0.65, decomposability: 0.1, sequentialDepth: 30, independentParts: 1 },
    wrong: { 'the last amendment left out': text(past.at(-1)), 'no amendment made': text(start) },
  })
}
