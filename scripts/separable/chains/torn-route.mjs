import { seededChoices } from '../random.mjs'
import { answerTask } from '../task-folder.mjs'

const marks =
  'anchor,basket,candle,drum,engine,feather,goblet,hammer,island,jacket,kettle,ladder,mirror,needle,orchid,pillow,quiver,ribbon,saddle,thimble,urn,violin,walnut,yarn,zither'.split(
    ',',
  )
const sides = ['north', 'east', 'south', 'west']
const steps = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
]

/** Returns one strip of the route: its words, and how it changes place and direction. */
function strip(random, at) {
  const fields = random.int(2, 9)
  const more = random.int(2, 5)
  const turn = random.pick([1, 3])
  const kinds = [
    {
      words: `turn ${turn === 1 ? 'right' : 'left'} and walk ${fields} fields`,
      act: (me) => walk(turned(me, turn), fields),
    },
    {
      words: `walk on ${fields} fields, then turn ${turn === 1 ? 'right' : 'left'}`,
      act: (me) => turned(walk(me, fields), turn),
    },
    { words: `turn round and walk ${more} fields`, act: (me) => walk(turned(me, 2), more) },
    {
      words: `if you now face ${sides[at % 4]}, walk ${fields} fields; else turn ${turn === 1 ? 'right' : 'left'} and walk ${more} fields`,
      act: (me) => (me.facing === at % 4 ? walk(me, fields) : walk(turned(me, turn), more)),
    },
    {
      words: `walk as many fields as your last walk had, and ${more} more`,
      act: (me) => walk(me, me.last + more),
    },
  ]
  return random.pick(kinds)
}

const turned = (me, turn) => ({ ...me, facing: (me.facing + turn) % 4 })
const walk = (me, fields) => ({
  ...me,
  x: me.x + fields * steps[me.facing][0],
  y: me.y + fields * steps[me.facing][1],
  last: fields,
})

/** A route that was torn into 24 strips: their order follows from the marks, and each depends on where the ones before it lead. */
export function tornRoute() {
  const random = seededChoices('torn-route')
  const order = random.shuffle(marks)
  const strips = Array.from({ length: 24 }, (_, at) => ({
    from: order[at],
    to: order[at + 1],
    ...strip(random, at),
  }))
  const end = (list) => {
    const { x, y } = list.reduce((me, { act }) => act(me), { x: 0, y: 0, facing: 0, last: 1 })
    return `${x}, ${y}`
  }
  const torn = random.shuffle(strips)
  return answerTask({
    id: 'torn-route',
    title: 'Follow a route that was torn into 24 strips',
    instruction: `# A torn route

A sheet with the description of a walk was torn into 24 strips. Wherever it was torn there is a picture on the tear, so that half of
it is on each side: the picture at the end of a strip is that at the beginning of the next one. The first strip begins with the
picture of ${/^[aeiou]/.test(order[0]) ? 'an' : 'a'} ${order[0]}.

${torn.map(({ from, to, words }) => `- [${from}] ${words} [${to}]`).join('\n')}

You begin at the field (0, 0) and face north. North adds to the second number, east adds to the first. Before the first strip, your
last walk counts as 1 field. To turn does not move you. At which field do you stand after the last strip? Give the two numbers, separated by a comma.
`,
    kind: 'exact',
    answer: end(strips),
    properties: { difficulty: 0.55, decomposability: 0.1, sequentialDepth: 24, independentParts: 1 },
    wrong: { 'the strips as they lie': end(torn), 'the last strip left out': end(strips.slice(0, -1)) },
  })
}
