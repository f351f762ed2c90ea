import { seededChoices } from '../random.mjs'
import { answersTask } from '../task-folder.mjs'
import { firstNames, lastNames, months, page } from '../words.mjs'

const clubs =
  'rowing,chess,garden,choir,theatre,hiking,film,cycling,sailing,pottery,archery,fencing,radio,judo,beekeeping,sketching'.split(
    ',',
  )
const aims = [
  'new lamps for the entrance',
  'a larger refrigerator',
  'the repair of the roof gutter',
  'a printer for the office',
  'the summer party',
  'a course in first aid',
  'new chairs for the hall',
  'the renewal of the web page',
  'a trip of the youth group',
  'the insurance of the equipment',
  'a second noticeboard',
  'the painting of the stairway',
  'a defibrillator',
  'curtains for the stage',
]
const talk = [
  'Several members asked for a second quotation; the treasurer had brought one, and it was higher.',
  'There was a long discussion on whether the matter could wait until next year.',
  'The chair reminded the meeting of the state of the reserve.',
  'A member pointed out that the neighbouring club had spent less on the same thing.',
  'It was asked whether the city would give a grant; the answer of the city is still open.',
  'The youth representative spoke in favour.',
  'Two members reported on their experience with the present supplier.',
  'The meeting thanked the working group for its preparation.',
]
const open = [
  'The minutes of the last meeting were accepted without changes.',
  'The agenda was accepted as sent.',
  'The chair welcomed two new members.',
  'The secretary read a greeting from the honorary president.',
  'The treasurer’s report was heard; there were no questions.',
]

function motion(random, number, aim, present) {
  const asked = 20 * random.int(8, 90)
  const changed = random.chance(0.45) ? 20 * random.int(6, 90) : undefined
  const amendmentWins = random.chance(0.55)
  const voting = random.int(Math.ceil(present * 0.55), present)
  const drawn = random.chance(0.15)
  const abstain = random.int(0, Math.floor(voting / 4))
  const rest = voting - abstain
  const inFavour = random.chance(0.12) && rest % 2 === 0 ? rest / 2 : random.int(Math.floor(rest * 0.3), rest)
  const against = rest - inFavour
  const postponed = !drawn && random.chance(0.12)
  const amount = changed !== undefined && amendmentWins ? changed : asked
  const passed = !drawn && !postponed && inFavour > against
  const a = random.int(Math.ceil(voting / 2) + 1, voting)
  const lines = [
    `Motion ${number}. ${random.pick(firstNames)} ${random.pick(lastNames)} moved to spend ${asked} euros on ${aim}.`,
    random.some(talk, 2).join(' '),
  ]
  if (changed !== undefined)
    lines.push(
      `It was moved to change the sum to ${changed} euros. This amendment was ${amendmentWins ? 'accepted' : 'rejected'}, ${amendmentWins ? `${a} to ${voting - a}` : `${voting - a} to ${a}`}.`,
    )
  if (drawn) lines.push('The mover then withdrew the motion, and there was no vote on it.')
  else if (postponed) lines.push('It was decided to take the motion up again at the next meeting.')
  else
    lines.push(
      `In the vote on the motion ${inFavour} were in favour and ${against} against, with ${abstain} ${abstain === 1 ? 'abstention' : 'abstentions'}.`,
    )
  return {
    text: lines.join(' '),
    amount: passed ? amount : 0,
    hasty: !drawn && !postponed && inFavour >= against ? asked : 0,
  }
}

function minutes(random, club) {
  const members = random.int(28, 60)
  const present = random.int(Math.ceil(members * 0.5), members - 3)
  const chosen = random.some(aims, random.int(8, 10))
  const motions = chosen.map((aim, at) => motion(random, at + 1, aim, present))
  const rescinded = random.chance(0.6) ? random.pick(motions.filter(({ amount }) => amount > 0)) : undefined
  const spent = motions.filter((one) => one !== rescinded).reduce((sum, { amount }) => sum + amount, 0)
  const text = page(
    `# Minutes of the ${club} club`,
    `General meeting of ${random.int(1, 28)} ${random.pick(months)}. Of ${members} members ${present} were present. Chair: ${random.pick(firstNames)} ${random.pick(lastNames)}. ${random.some(open, 3).join(' ')}`,
    ...motions.map((one) => one.text),
    rescinded
      ? `Any other business. The treasurer noted that the money for motion ${motions.indexOf(rescinded) + 1} is not there. The meeting therefore reversed its decision on motion ${motions.indexOf(rescinded) + 1} without a vote against, so that nothing is spent on it.`
      : 'Any other business. There was none.',
    `The chair closed the meeting at ${random.int(20, 22)}:${random.pick(['05', '20', '35', '50'])}.`,
  )
  return { text, spent, hasty: motions.reduce((sum, one) => sum + one.hasty, 0) }
}

/** 16 minutes, each with the sum of money that a meeting decided to spend. */
export function boardMinutes() {
  const random = seededChoices('board-minutes')
  const all = clubs.map((club) => ({ club, ...minutes(random, club) }))
  const by = (of) => Object.fromEntries(all.map((one) => [one.club, one[of]]))
  return answersTask({
    id: 'board-minutes',
    title: 'What 16 clubs decided to spend, from their minutes',
    instruction: `# What the clubs spend

The folder \`minutes/\` has the minutes of the general meetings of 16 clubs. Work out for each club how many euros its meeting
decided to spend in all.

- A motion is carried if more members are in favour than against; abstentions do not count, and a tie is not enough.
- An accepted amendment changes the sum of its motion; a rejected one does not.
- A motion that was withdrawn or put off is not carried.
- A decision that the meeting reversed later does not count.

Write the sums into \`answers.json\`, which has a key for each club, as numbers.
`,
    files: Object.fromEntries(all.map(({ club, text }) => [`minutes/${club}.md`, text])),
    answers: by('spent'),
    properties: { difficulty: 0.5, decomposability: 1, sequentialDepth: 2 },
    wrong: { 'amendments and reversals not read': by('hasty') },
  })
}
