import { seededChoices } from '../random.mjs'
import { wholeTask } from '../task-folder.mjs'
import { firstNames, lastNames, places } from '../words.mjs'

const branches = ['dock-road', 'kiln-yard', 'mill-pond', 'north-gate', 'rope-walk', 'vine-court']
const two = (number) => String(number).padStart(2, '0')

/** Six lists of members become one register whose numbers depend on all of them. */
export function oneRegister() {
  const random = seededChoices('one-register')
  const people = random.some(
    firstNames.flatMap((first) => lastNames.map((last) => `${first} ${last}`)),
    44,
  )
  const date = () => `${random.int(1996, 2023)}-${two(random.int(1, 12))}-${two(random.int(1, 28))}`
  const lists = Object.fromEntries(branches.map((branch) => [branch, []]))
  for (const person of people) {
    const copies = random.chance(0.3) ? 2 : 1
    for (const branch of random.some(branches, copies))
      lists[branch].push({ person, joined: date(), street: random.pick(places), left: random.chance(0.12) })
  }
  for (const branch of branches) lists[branch] = random.shuffle(lists[branch])
  const numbersOf = ({ skip, keepLeft }) => {
    const first = new Map()
    for (const { person, joined, left } of branches.flatMap((branch) => lists[branch])) {
      if (left && !keepLeft) continue
      if (!first.has(person) || joined < first.get(person)) first.set(person, joined)
    }
    const ordered = [...first].sort(([a, x], [b, y]) => (x < y ? -1 : x > y ? 1 : a < b ? -1 : 1))
    let number = 100
    const numbers = ordered.map(([person, joined], at) => {
      number += at > 0 && skip && joined.slice(0, 4) !== ordered[at - 1][1].slice(0, 4) ? 2 : 1
      if (skip) while (String(number).includes('3')) number++
      return [person, number]
    })
    return Object.fromEntries(numbers.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  const solution = numbersOf({ skip: true, keepLeft: false })
  const list = (branch) =>
    `# Branch ${branch}\n\n${lists[branch].map(({ person, joined, street, left }) => `${person}; ${street}; member since ${joined}${left ? '; has left this branch' : ''}`).join('\n')}\n`
  return wholeTask({
    id: 'one-register',
    title: 'One register with numbers from six lists of members',
    instruction: `# One register

A society has six branches, each with a list of its members in \`branches/\`. Make one register of all members and give each a
number:

- Entries of people who have left a branch do not count. Who has left one branch and is in another is still a member.
- A person may be in the lists of two branches. It is one member, with the earlier of the two dates that count.
- The numbers follow the dates, the earliest first; people with the same date follow the alphabet (first name before last name).
- The first number is 101. Each following number is one more than the one before; the first member of each new year gets two more.
- A number with the digit 3 is never given: take the next one without it, and count on from there.

Write the register into \`answers.json\`: an object whose keys are the names as in the lists, and whose values are the numbers. The order of the
keys does not matter. Only the whole register counts.
`,
    files: Object.fromEntries(branches.map((branch) => [`branches/${branch}.md`, list(branch)])),
    stub: {},
    solution,
    test: `import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const expected = ${JSON.stringify(solution, null, 2)}

test('the register is right as a whole', () => {
  const given = JSON.parse(readFileSync(new URL('../answers.json', import.meta.url), 'utf8'))
  const plain = Object.fromEntries(Object.entries(given).map(([name, number]) => [name.trim(), Number(number)]))
  assert.deepEqual(plain, expected)
})
`,
    properties: { difficulty: 0.6, decomposability: 0.1, sequentialDepth: 40, independentParts: 1 },
    wrong: {
      'numbers without gaps': numbersOf({ skip: false, keepLeft: false }),
      'entries of people who left counted': numbersOf({ skip: true, keepLeft: true }),
    },
  })
}
