import { seededChoices } from '../random.mjs'
import { answersTask } from '../task-folder.mjs'
import { firstNames, lastNames, page, sentence } from '../words.mjs'

const lakes =
  'Ansel Lake,Black Mere,Cotter Pond,Drift Bay,Eel Water,Fenn Lake,Goose Reach,Heron Pool,Isle Water,Kettle Mere,Long Reed,Moss Lake,Otter Bend,Pike Water,Reed End,Swan Reach'.split(
    ',',
  )
const others = [
  'Two swans crossed the bay without stopping.',
  'A fox stood at the edge of the reeds and looked at me for a long time.',
  'The reed warblers sang from before dawn until ten.',
  'A pair of grebes carried weed to their nest.',
  'I counted eleven coots near the outlet.',
  'A kingfisher passed twice, low over the water.',
  'The swallows hunted close to the surface, as they do before a change of weather.',
  'A cormorant dried its wings on the post in the middle.',
  'Four young moorhens followed their mother along the bank.',
  'A buzzard circled high above the wood and called.',
]
const camp = [
  'The path on the north side is still under water, so I went round by the mill.',
  'My boots are finally dry.',
  'A school group came for an hour and asked good questions.',
  'I repaired the shutter of the hide.',
  'The batteries of the lamp are nearly empty; I must bring new ones.',
  'I slept badly and began late.',
  'The warden came by and told me about the winter.',
  'I copied the week’s numbers into the register of the station.',
]
const weather = {
  dry: [
    'Clear from morning until night.',
    'High cloud, no wind.',
    'Mist until eight, then sun.',
    'A dry day with a fresh wind from the east.',
  ],
  rain: [
    'Rain from noon on.',
    'It rained all day, at times heavily.',
    'Showers in the afternoon.',
    'Light rain in the morning, then dry.',
  ],
}

function day(random, number) {
  const isWet = random.chance(0.4)
  const bitterns = random.chance(0.6) ? random.int(1, 4) : 0
  const heard = bitterns > 0 && random.chance(0.35)
  const unsure = bitterns > 0 && !heard && random.chance(0.3)
  const seen = heard || unsure ? 0 : bitterns
  const what =
    bitterns === 0
      ? random.pick(['No bittern today.', 'I looked for the bittern in vain.', ''])
      : heard
        ? random.pick([
            'The bittern boomed twice in the dusk, but I did not see it.',
            'I heard a bittern from the far side; it did not show itself.',
          ])
        : unsure
          ? random.pick([
              'A brown bird dropped into the reeds, perhaps a bittern; I could not tell.',
              'Something the size of a bittern flew off behind the willows, too far away to be sure.',
            ])
          : seen === 1
            ? random.pick([
                'I saw a bittern at the edge of the reeds.',
                'One bittern flew across the bay in good light.',
              ])
            : random.pick([
                `${sentence(`${['', '', 'two', 'three', 'four'][seen]} bitterns were in sight at the same time.`)}`,
                `I saw ${['', '', 'two', 'three', 'four'][seen]} bitterns rise one after another.`,
              ])
  const order = random.shuffle(
    [
      random.pick(weather[isWet ? 'rain' : 'dry']),
      what,
      ...random.some(others, random.int(3, 4)),
      random.pick(camp),
    ].filter(Boolean),
  )
  return { text: `Day ${number}. ${order.join(' ')}`, isWet, seen, bitterns }
}

function diary(random, lake) {
  const days = Array.from({ length: 24 }, (_, at) => day(random, at + 1))
  const struck = random.chance(0.6)
    ? random.pick(days.filter(({ isWet, seen }) => !isWet && seen > 0))
    : undefined
  const counts = days.filter((one) => !one.isWet && one.seen > 0 && one !== struck).length
  const text = page(
    `# Diary of ${lake}`,
    `Kept by ${random.pick(firstNames)} ${random.pick(lastNames)}, from the hide at ${lake}, twenty-four days in May.`,
    ...days.map((one) => one.text),
    ...(struck
      ? [
          `Afterword. On going through my photographs I see that what I took for a bittern on day ${days.indexOf(struck) + 1} was a young heron; that day has to be struck from the list.`,
        ]
      : ['Afterword. I thank the warden for the key and for the tea.']),
  )
  return { text, counts, hasty: days.filter(({ bitterns }) => bitterns > 0).length }
}

/** 16 diaries of 24 days, in each of which days of one kind are counted. */
export function fieldDiaries() {
  const random = seededChoices('field-diaries')
  const diaries = lakes.map((lake) => ({ lake, ...diary(random, lake) }))
  const key = (lake) => lake.toLowerCase().replaceAll(' ', '-')
  const by = (of) => Object.fromEntries(diaries.map((one) => [key(one.lake), one[of]]))
  return answersTask({
    id: 'field-diaries',
    title: 'Dry days with a bittern in 16 diaries',
    instruction: `# Dry days with a bittern

The folder \`diaries/\` has the diaries of 16 observers, one lake a file, 24 days each. Count for each lake the days on which

- the observer saw at least one bittern for certain (hearing it is not enough, and a bird that may have been one does not count),
- and no rain fell at any time of the day.

How many bitterns there were does not matter. An afterword may strike a day from the list.

Write the number of days into \`answers.json\`, which has a key for each lake.
`,
    files: Object.fromEntries(diaries.map(({ lake, text }) => [`diaries/${key(lake)}.md`, text])),
    answers: by('counts'),
    properties: { difficulty: 0.45, decomposability: 1, sequentialDepth: 1 },
    wrong: { 'every day with a mention counted': by('hasty') },
  })
}
