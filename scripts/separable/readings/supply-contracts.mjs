import { seededChoices } from '../random.mjs'
import { answersTask } from '../task-folder.mjs'
import { lastNames, months, page } from '../words.mjs'

const goods = [
  'flour',
  'printing paper',
  'cleaning agents',
  'steel sheets',
  'roof tiles',
  'coffee',
  'sand',
  'lubricants',
  'starch',
  'cable',
]
const boilerplate = {
  delivery: [
    'Deliveries are made on working days between seven and noon, to the ramp on the east side. The carrier is chosen by the supplier, who bears the risk until the goods have been set down.',
    'The supplier delivers free of charge to the gate of the buyer. The buyer provides a person who signs for the goods; an unsigned delivery counts as not made.',
    'Goods are delivered in returnable packaging, which remains the property of the supplier and is exchanged at each delivery.',
  ],
  quality: [
    'The goods must agree with the sample that both parties have sealed. Complaints are made in writing within ten days of the delivery, with a photograph of the label.',
    'The supplier tests each batch and keeps the results for three years. The buyer may ask for them at any time, and may have a batch tested again at its own expense.',
    'Hidden faults may be claimed within one year. The supplier then replaces the goods or takes back the price, as the buyer prefers.',
  ],
  secrecy: [
    'Both parties keep prices and quantities to themselves, also for two years after the end of the contract. This does not hold for what an authority may demand.',
    'Neither party uses the name of the other in advertising without leave in writing.',
  ],
  dispute: [
    'Disputes are first put before a mediator whom both parties choose. Only if no agreement is found within sixty days may a court be called upon.',
    'The law of the buyer’s seat holds. Changes of this contract are valid only in writing.',
  ],
  hindrance: [
    'A party that is kept from its duties by flood, fire, strike or war is free of them for as long as the hindrance lasts, and tells the other without delay.',
    'If the hindrance lasts longer than three months, either party may step back from the quantities of that time, but not from the contract as a whole.',
  ],
}

function contract(random, name) {
  const base = random.int(20, 90) * 10
  const rise = random.int(2, 6) * 5
  const discount = random.int(2, 6) * 5
  const from = random.int(10, 30) * 10
  const bought = random.chance(0.6) ? from + 10 * random.int(0, 12) : from - 10 * random.int(1, 6)
  const fee = random.int(3, 12) * 10
  const feeChange = random.chance(0.5) ? random.int(3, 12) * 10 : undefined
  const riseChange = random.chance(0.5) ? random.int(2, 6) * 5 : undefined
  const noDiscount = random.chance(0.25)
  const price = base + 2 * (riseChange ?? rise)
  const isOver = bought >= from
  const due = bought * (price - (isOver && !noDiscount ? discount : 0)) + (feeChange ?? fee) * 12
  const hasty = bought * (base + 2 * rise - (isOver ? discount : 0)) + fee * 12
  const good = random.pick(goods)
  const sections = [
    `Price. A tonne costs ${base} euros in the first year. The price rises by ${rise} euros at the beginning of the second year and by the same amount again at the beginning of the third. In a fourth year, if there is one, the parties agree on a new price.`,
    `Quantity. The buyer takes at least ${Math.min(from, bought) - 10 * random.int(1, 5)} tonnes a year. In a year in which it takes ${from} tonnes or more, each tonne of that year is ${discount} euros cheaper. What is taken in one year does not count in another.`,
    `Storage. For the place in its warehouse the supplier charges ${fee} euros a month, in months without a delivery as well. The charge is part of the yearly account.`,
    ...Object.entries(boilerplate).map(
      ([key, texts]) =>
        `${key.charAt(0).toUpperCase()}${key.slice(1)}. ${random.shuffle(texts).slice(0, 2).join(' ')}`,
    ),
    `Term. The contract begins on 1 ${random.pick(months)} and runs for three years. It ends without notice. A party that wants to go on says so ${random.int(3, 9)} months before the end.`,
  ]
  const numbered = [sections[0], ...random.shuffle(sections.slice(1))]
  const place = (word) => numbered.findIndex((text) => text.startsWith(word)) + 1
  const notes = [
    ...(riseChange === undefined
      ? []
      : [
          `In section ${place('Price')} the yearly rise is ${riseChange} euros, for the second year and for the third, from the beginning of the contract on.`,
        ]),
    ...(feeChange === undefined
      ? []
      : [
          `In section ${place('Storage')} the monthly charge is ${feeChange} euros from the beginning of the third year on.`,
        ]),
    ...(noDiscount ? [`The reduction in section ${place('Quantity')} falls away in the third year.`] : []),
  ]
  const text = page(
    `# Contract ${name}`,
    `Between ${name} & Sons, supplier, and the ${random.pick(lastNames)} Works, buyer, on the supply of ${good}.`,
    ...numbered.map((section, at) => `§ ${at + 1} ${section}`),
    notes.length > 0
      ? `Supplement, signed by both parties. ${random.shuffle(notes).join(' ')} All else stays as it is.`
      : 'Supplement. None was agreed.',
    `Account of the third year: ${bought} tonnes were taken. In the first year it was ${from + 10 * random.int(-5, 8)} tonnes, in the second ${from + 10 * random.int(-5, 8)}.`,
  )
  return { text, due, hasty }
}

/** 20 contracts that are worded alike and differ in their numbers, each with what is due in the third year. */
export function supplyContracts() {
  const random = seededChoices('supply-contracts')
  const all = lastNames.slice(0, 22).map((name) => ({ name, ...contract(random, name) }))
  const by = (of) => Object.fromEntries(all.map((one) => [one.name.toLowerCase(), one[of]]))
  return answersTask({
    id: 'supply-contracts',
    title: 'What is due in the third year of 22 contracts',
    instruction: `# What is due in the third year

The folder \`contracts/\` has 22 supply contracts, each with its supplement and the quantities that were taken. They are worded
alike, and their numbers differ. Work out for each contract how many euros the buyer owes for the third year in all: the price of the
tonnes of that year, with the reduction if it holds, and twelve monthly charges for storage. A supplement changes the contract
as it says.

Write the sums into \`answers.json\`, which has a key for each supplier, as numbers.
`,
    files: Object.fromEntries(all.map(({ name, text }) => [`contracts/${name.toLowerCase()}.md`, text])),
    answers: by('due'),
    properties: { difficulty: 0.55, decomposability: 0.9, sequentialDepth: 3 },
    wrong: { 'supplements not read': by('hasty') },
  })
}
