import { seededChoices } from '../random.mjs'
import { answersTask } from '../task-folder.mjs'
import { count, firstNames, lastNames, months, page, places, sentence, word } from '../words.mjs'

const kinds = [
  'swing frame',
  'climbing tower',
  'slide',
  'seesaw',
  'rope bridge',
  'carousel',
  'balance beam',
  'spring horse',
]
const weather = [
  'It was dry and there was a light wind.',
  'It had rained in the night, and the ground was still wet in the shade.',
  'The sky was overcast and the light was good enough for all measurements.',
  'It was cold, and the metal parts were still covered with dew when I began.',
  'There was strong sun, so the temperature of the metal parts was noted as well.',
]
const use = [
  'Two families were there during the visit; the equipment was left open to them except while I measured.',
  'The site was empty during the visit.',
  'A school class arrived towards the end, and its teacher asked about the date of the next visit.',
  'A resident said that the site is used mostly after five in the afternoon.',
  'The gardener of the district was there and opened the shed with the spare parts.',
]
const remarks = [
  'The paint has faded on the south side, which has no effect on safety.',
  'The maker’s plate is legible and the year on it agrees with the register.',
  'The distance to the path was measured and is sufficient.',
  'Graffiti on the lower panel was noted for the cleaning team.',
  'The bearings are greased and move without noise.',
  'The handles are firm and show the usual wear.',
  'The concrete of the footing is sound as far as it can be seen.',
  'Leaves had collected underneath and were swept aside for the inspection.',
  'The warning label is still in place, though its lower corner has come off.',
  'I took photographs from all four sides; they are filed with this report.',
]

/** Adds one piece of equipment: its paragraph, its points, and the points of a reader who stops too early. */
function inspect(random, name) {
  const bolts = random.chance(0.55) ? random.int(1, 4) : 0
  const cracks = random.chance(0.4) ? random.int(1, 3) : 0
  const repaired = cracks > 0 && random.chance(0.4) ? random.int(1, cracks) : 0
  const boards = random.chance(0.35) ? random.int(1, 3) : 0
  const lines = random.shuffle([
    bolts > 0
      ? sentence(
          `${count(bolts, 'bolt is', 'bolts are')} missing from the ${random.pick(['upper joint', 'ground plate', 'cross bar'])}.`,
        )
      : random.pick(['All bolts are present and tight.', 'No bolt is missing.']),
    cracks > 0
      ? sentence(
          `I found ${count(cracks, 'crack')} in the ${random.pick(['left upright', 'seat', 'side panel', 'weld of the frame'])}${repaired > 0 ? `; ${repaired === cracks ? (cracks === 1 ? 'it was' : 'all of them were') : `${word(repaired)} of them ${repaired === 1 ? 'was' : 'were'}`} repaired on the spot` : ''}.`,
        )
      : random.pick(['There are no cracks.', 'The frame is free of cracks.']),
    boards > 0
      ? sentence(`${count(boards, 'board is', 'boards are')} loose.`)
      : random.pick(['The boards are firm.', 'No board is loose.']),
  ])
  if (random.chance(0.45))
    lines.push(
      `Last year’s report listed ${count(random.int(1, 4), 'missing bolt')} and ${count(random.int(1, 3), 'crack')} here; ${random.pick(['all of that was put right in the spring', 'the repair was signed off', 'those parts have since been replaced'])}.`,
    )
  const remark = random.some(remarks, 2)
  return {
    text: `The ${name}. ${[remark[0], ...lines, remark[1]].join(' ')}`,
    bolts,
    points: 2 * bolts + 5 * (cracks - repaired) + 3 * boards,
    hasty: 2 * bolts + 5 * cracks + 3 * boards,
  }
}

function report(random, place, number) {
  const items = random.some(kinds, random.int(7, 8)).map((name) => ({ name, ...inspect(random, name) }))
  const depth = random.int(24, 36)
  let [points, hasty] = ['points', 'hasty'].map((of) => items.reduce((sum, item) => sum + item[of], 0))
  const short = Math.max(0, 30 - depth)
  points += short
  hasty += short
  const last = []
  const fixed = items.find(({ bolts }) => bolts > 1)
  if (fixed && random.chance(0.6)) {
    const right = fixed.bolts + random.pick([-1, 1, 2])
    last.push(
      `Correction, added after the photographs were compared: at the ${fixed.name} ${count(right, 'bolt is', 'bolts are')} missing, not ${word(fixed.bolts)}.`,
    )
    points += 2 * (right - fixed.bolts)
  }
  const inspector = `${random.pick(firstNames)} ${random.pick(lastNames)}`
  const text = page(
    `# Playground ${place}`,
    `Report ${number}, ${random.int(1, 28)} ${random.pick(months)}. Inspector: ${inspector}. ${random.pick(weather)} ${random.pick(use)}`,
    ...items.map((item) => item.text),
    `The surface. The ${random.pick(['bark', 'sand', 'gravel'])} was measured at five places under the equipment. The shallowest place is ${depth} cm deep, the deepest ${depth + random.int(4, 12)} cm. ${random.pick(['It was raked level after the measurement.', 'The edging holds and nothing has been washed away.', 'A delivery of new material is planned for the autumn in any case.'])}`,
    `The surroundings. ${random.some(['The fence is closed and the gate shuts by itself.', 'The litter bins had been emptied.', 'Both benches are sound.', 'The sign with the emergency number is legible.', 'The hedge has been cut back from the path.', 'The drinking fountain was turned off for the season.'], 3).join(' ')}`,
    ...last,
    `Signed: ${inspector}`,
  )
  return { text, points, hasty }
}

/** 24 inspection reports, each of which gives a number of points by the same rule. */
export function siteInspections() {
  const random = seededChoices('site-inspections')
  const reports = places.map((place, at) => ({ place, ...report(random, place, 401 + at) }))
  const key = (place) => place.toLowerCase().replaceAll(' ', '-')
  const by = (of) => Object.fromEntries(reports.map((one) => [key(one.place), one[of]]))
  return answersTask({
    id: 'site-inspections',
    title: 'Points for 24 playgrounds from their inspection reports',
    instruction: `# Points for playgrounds

The folder \`reports/\` has an inspection report for each of 24 playgrounds. Give each playground its points:

- 2 points for each missing bolt,
- 5 points for each crack, unless it was repaired on the spot,
- 3 points for each loose board,
- 1 point for each full centimetre by which the shallowest place of the surface is below 30 cm.

Only what is true on the day of the report counts, not what earlier reports listed. A correction at the end of a report
replaces what the report says before.

Write the points into \`answers.json\`, which has a key for each report, as numbers.
`,
    files: Object.fromEntries(reports.map(({ place, text }) => [`reports/${key(place)}.md`, text])),
    answers: by('points'),
    properties: { difficulty: 0.4, decomposability: 1, sequentialDepth: 1 },
    wrong: { 'repaired cracks counted, corrections not read': by('hasty') },
  })
}
