import { seededChoices } from '../random.mjs'
import { answersTask } from '../task-folder.mjs'
import { clock, firstNames, lastNames, wrap } from '../words.mjs'

const machines =
  'press-1,press-2,mill-1,mill-2,saw,lathe,kiln,mixer,packer,labeller,grinder,bender,welder,loom,dryer,sorter'.split(
    ',',
  )
const causes = [
  'the belt had come off',
  'a sensor was covered with dust',
  'the guard door did not close',
  'the oil pressure was low',
  'a part was stuck in the feed',
  'the fuse had blown',
]
const planned = [
  'the change of tools',
  'the weekly cleaning',
  'the break of the shift',
  'the exchange of the filter',
]
const notes = [
  'Temperature read, within limits.',
  'Sample taken and sent to the laboratory.',
  'New pallet of material put up.',
  'Oil level checked, nothing added.',
  'Speed lowered for ten pieces and raised again.',
  'Visitors in the hall, no effect on the machine.',
  'Scrap bin emptied.',
  'Counter read and written into the book.',
  'Noise at the gearbox reported to the workshop; the machine went on.',
  'Handed over to the next person for a quarter of an hour.',
  'Lamp above the desk replaced.',
  'Light curtain tested; the machine went on.',
]

function log(random, machine) {
  const lines = []
  let time = 360 + random.int(0, 4)
  let [due, hasty] = [0, 0]
  const stops = []
  const add = (text) => lines.push(`${clock(time)}  ${text}`)
  add(`Shift begins. ${random.pick(firstNames)} ${random.pick(lastNames)} at the desk, machine running.`)
  while (time < 14 * 60 - 90) {
    for (let i = random.int(2, 4); i > 0; i--) {
      time += random.int(3, 9)
      add(random.pick(notes))
    }
    time += random.int(2, 6)
    if (random.chance(0.3)) {
      const length = random.int(8, 25)
      const why = random.pick(planned)
      add(`Stopped for ${why}.`)
      time += length
      add(`Running again after ${why}.`)
      hasty += length
      continue
    }
    const cause = random.pick(causes)
    const [started, length] = [time, random.int(4, 30)]
    add(`Stopped: ${cause}.`)
    if (random.chance(0.4)) {
      time += Math.floor(length / 2)
      add(
        random.pick([
          'Workshop called.',
          'Workshop has arrived and is looking for the cause.',
          'Still standing; spare part fetched.',
        ]),
      )
    }
    time = started + length
    add('Running again.')
    stops.push({ started, length })
    due += length
    hasty += length
  }
  time = 14 * 60
  add('Shift ends.')
  const moved = random.chance(0.6) ? random.pick(stops) : undefined
  if (moved) {
    const right = moved.length + random.pick([-3, -2, 4, 6])
    lines.push(
      '',
      wrap(
        `Note of the foreman: the clock at the desk was read wrongly. The machine that stopped at ${clock(moved.started)} was running again at ${clock(moved.started + right)}, not at ${clock(moved.started + moved.length)}.`,
      ),
    )
    due += right - moved.length
  }
  return { text: `Log of ${machine}, early shift\n\n${lines.join('\n')}\n`, due, hasty }
}

/** Returns 16 machines with their logs of three shifts, the minutes that they stood unplanned, and those that a hasty reader counts. */
export function machineLogs(seed) {
  const random = seededChoices(seed)
  return machines.map((machine) => {
    const shifts = [1, 2, 3].map(() => log(random, machine))
    const sum = (of) => shifts.reduce((total, shift) => total + shift[of], 0)
    return {
      machine,
      text: shifts.map(({ text }, at) => `# Day ${at + 1}\n\n${text}`).join('\n'),
      due: sum('due'),
      hasty: sum('hasty'),
    }
  })
}

/** 16 machines with the logs of three shifts each, and the minutes that they stood unplanned. */
export function shiftLogs() {
  const all = machineLogs('shift-logs')
  const by = (of) => Object.fromEntries(all.map((one) => [one.machine, one[of]]))
  return answersTask({
    id: 'shift-logs',
    title: 'Minutes that 16 machines stood unplanned, from their logs',
    instruction: `# Unplanned standstill

The folder \`logs/\` has the logs of 16 machines, three early shifts each. Work out for each machine how many minutes it stood
unplanned in the three shifts together: from each line that begins with \`Stopped:\` to the next \`Running again.\`. What it stood for
a planned reason (\`Stopped for …\`) does not count. A note of the foreman corrects the times that it names.

Write the minutes into \`answers.json\`, which has a key for each machine, as numbers.
`,
    files: Object.fromEntries(all.map(({ machine, text }) => [`logs/${machine}.log`, text])),
    answers: by('due'),
    properties: { difficulty: 0.5, decomposability: 1, sequentialDepth: 2 },
    wrong: { 'planned stops counted, notes not read': by('hasty') },
  })
}
