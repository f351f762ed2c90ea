import { seededChoices } from '../random.mjs'
import { answersTask } from '../task-folder.mjs'
import { firstNames, lastNames, months, page, places } from '../words.mjs'

const things = [
  'a wardrobe',
  'the washing machine',
  'two carpets',
  'a writing desk',
  'the parquet of the hall',
  'a bookcase',
  'the curtains',
  'a piano stool',
  'the kitchen cupboards',
  'a bicycle',
  'a sewing machine',
  'the mattress',
  'a lamp',
  'the freezer',
  'a television',
  'a tool chest',
  'the wallpaper of the bedroom',
  'a leather chair',
]
const causes = [
  'a pipe burst behind the kitchen wall',
  'the flat above was flooded',
  'a storm broke the skylight',
  'the boiler leaked during the holidays',
  'a fire next door filled the rooms with smoke',
]
const civil = [
  'We are sorry to hear of the damage and will deal with the matter as quickly as we can.',
  'Please keep all receipts until the matter is closed.',
  'If you have questions, please quote the number above in every letter.',
  'Our office is closed on the first Monday of each month.',
  'Please let us know if your address has changed in the meantime.',
]
const own = [
  'I was away when it happened and found everything only two days later.',
  'My neighbour can confirm the date, since she let the plumber in.',
  'The photographs are enclosed; the ones of the hall are unfortunately dark.',
  'I have had this policy for eleven years and never made a claim.',
  'You can reach me by telephone in the evening.',
]
const grounds = {
  refuse: [
    'because there is no receipt',
    'because the cellar is not covered by the policy',
    'because our expert found no damage there',
  ],
  accept: ['after the receipt arrived', 'on the report of our expert', 'without further proof'],
}

function claim(random, number, place) {
  const person = `${random.pick(firstNames)} ${random.pick(lastNames)}`
  const clerk = `${random.pick(firstNames)} ${random.pick(lastNames)}`
  const items = random
    .some(things, random.int(4, 6))
    .map((thing) => ({ thing, asked: 10 * random.int(9, 90) }))
  const excess = 50 * random.int(2, 6)
  const month = random.int(0, 6)
  const date = (later) => `${random.int(1, 28)} ${months[month + later]}`
  const first = items.map((item) => ({ ...item, state: random.pick(['accept', 'accept', 'refuse', 'part']) }))
  for (const item of first)
    item.paid =
      item.state === 'accept' ? item.asked : item.state === 'refuse' ? 0 : 10 * Math.floor(item.asked / 20)
  const hasty = first.reduce((sum, { paid }) => sum + paid, 0)
  const decided = first.map(({ thing, asked, state, paid }) =>
    state === 'accept'
      ? `We accept ${thing} with the full ${asked} euros ${random.pick(grounds.accept)}.`
      : state === 'refuse'
        ? `We cannot pay for ${thing} ${random.pick(grounds.refuse)}.`
        : `For ${thing} we can pay ${paid} euros instead of the ${asked} euros asked for, because of the wear.`,
  )
  const changed = random.some(
    first.filter(({ state }) => state !== 'accept'),
    1,
  )[0]
  const revised = changed && random.chance(0.7) ? changed : undefined
  if (revised)
    revised.paid =
      revised.paid + 10 * random.int(1, Math.max(1, Math.floor((revised.asked - revised.paid) / 10)))
  const withdrawn = random.chance(0.45)
    ? random.pick(first.filter((item) => item !== revised && item.paid > 0))
    : undefined
  if (withdrawn) withdrawn.paid = 0
  const advance = random.chance(0.5) ? 50 * random.int(1, 4) : 0
  const waived = random.chance(0.3)
  const total = first.reduce((sum, { paid }) => sum + paid, 0)
  const due = Math.max(0, total - (waived ? 0 : excess) - advance)
  const head = (from, to, day) => `From ${from} to ${to}, ${day}. Claim ${number}.`
  const office = `${clerk}, Meridian Household Insurance`
  const text = page(
    `# Claim ${number}`,
    head(person, 'Meridian Household Insurance', date(0)),
    `On the night before last ${random.pick(causes)} at my flat in ${place}. ${random.pick(own)} I ask for the following: ${items.map(({ thing, asked }) => `${thing}, ${asked} euros`).join('; ')}. Together that is ${items.reduce((sum, { asked }) => sum + asked, 0)} euros. ${random.pick(own)}`,
    head(office, person, date(1)),
    `Thank you for your letter. ${random.some(civil, 2).join(' ')} Your policy has an excess of ${excess} euros, which is taken off once from the sum that we accept. ${advance > 0 ? `So that you can buy what is most urgent, we have sent you an advance of ${advance} euros today, which will be taken off the final payment.` : 'An advance payment is not possible before our expert has seen the flat.'}`,
    head(office, person, date(2)),
    `Our expert has now seen the flat and the photographs. ${decided.join(' ')} ${random.pick(civil)}`,
    head(person, office, date(3)),
    `I have read your decision. ${revised ? `I do not agree about ${revised.thing}: I paid ${revised.asked} euros for it and enclose the statement of my bank.` : 'I can live with it, although I had hoped for more.'} ${withdrawn ? `On the other hand I have to take back my claim for ${withdrawn.thing}: my brother did the repair, and it cost me nothing.` : random.pick(own)}`,
    head(office, person, date(4)),
    `${revised ? `We have looked at ${revised.thing} again and will pay ${revised.paid} euros for it in place of what our last letter said.` : 'Our decision stands as it was.'} ${withdrawn ? `As you asked, ${withdrawn.thing} is no longer part of the claim.` : ''} ${waived ? 'As you have been with us for so long, we do not take off the excess this time.' : 'The excess is taken off as announced.'} ${random.pick(civil)}`.replace(
      / {2,}/g,
      ' ',
    ),
  )
  return { text, due, hasty: Math.max(0, hasty - excess) }
}

/** 36 threads of letters, each of which ends with a sum that is still to be paid. */
export function claimLetters() {
  const random = seededChoices('claim-letters')
  const claims = Array.from({ length: 36 }, (_, at) => {
    const number = `M-${2101 + 7 * at}`
    return { number, ...claim(random, number, places[at % places.length]) }
  })
  const by = (of) => Object.fromEntries(claims.map((one) => [one.number, one[of]]))
  return answersTask({
    id: 'claim-letters',
    title: 'What an insurer still owes in 36 claims',
    instruction: `# What is still to be paid

The folder \`claims/\` has the letters of 36 insurance claims, one claim a file, in the order in which they were written.
Work out for each claim how many euros the insurer still has to pay at the end:

- the sum of what the insurer finally pays for each thing: a later letter replaces an earlier one, and a thing that the customer
  takes back counts as 0;
- minus the excess, unless the insurer does not take it off;
- minus an advance that was already sent;
- and never less than 0.

Write the sums into \`answers.json\`, which has a key for each claim, as numbers.
`,
    files: Object.fromEntries(claims.map(({ number, text }) => [`claims/${number}.md`, text])),
    answers: by('due'),
    properties: { difficulty: 0.5, decomposability: 1, sequentialDepth: 3 },
    wrong: { 'only the first decision read': by('hasty') },
  })
}
