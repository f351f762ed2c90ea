// Times conversions of a document of 100 KB between formats, and what their libraries need for parse and stringify alone.
// Both sides take turns. Prints JSON: for each pair the milliseconds of each round.
import { XMLBuilder, XMLParser } from 'fast-xml-parser'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toMarkdown } from 'mdast-util-to-markdown'
import { convert, write } from '../../dist/src/formats/convert.js'
import { readXml } from '../../dist/src/formats/xml.js'

const rounds = 11
const repeats = 3
const size = 100_000
const words =
  'The store keeps every event, in order, and gives them back by stream; a wrong version is refused'.split(
    ' ',
  )

const options = {
  preserveOrder: true,
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  cdataPropName: '#cdata',
}
const parser = new XMLParser(options)
const builder = new XMLBuilder({ ...options, format: true })
const parse = {
  xml: (text) => parser.parse(text, true),
  json: JSON.parse,
  markdown: fromMarkdown,
}
const stringify = {
  xml: (data) => builder.build(data),
  json: (data) => JSON.stringify(data, null, 2),
  markdown: (data) => toMarkdown(data),
}

/** A design as an architect would write it, of so many components. */
function designOf(components) {
  const parts = Array.from({ length: components }, (_, i) => {
    const sentence = words.map((_, at) => words[(at * 7 + i) % words.length]).join(' ')
    const code = `<code language="js"><![CDATA[export const part${i} = (a, b) => a < b\n]]></code>`
    const method = `<method name="run${i}" returns="list"/>`
    return `<component name="Part${i}"><purpose>${sentence}.</purpose>${method}<rule>Keep <b>all</b> of ${sentence}</rule>${code}</component>`
  })
  return readXml(`<design>${parts.join('')}</design>`)
}

/** One that is as long as wanted in the format itself. */
function documentOf(format) {
  const sample = write(designOf(20), format).length / 20
  const tree = designOf(Math.ceil(size / sample))
  return { text: write(tree, format), tree }
}

function warmUp(work) {
  const until = performance.now() + 400
  while (performance.now() < until) work()
}

/** Milliseconds of processor: what others do on the machine at the time is nobody's doing here. */
const timed = (work) => {
  const from = process.cpuUsage()
  for (let i = 0; i < repeats; i++) work()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000 / repeats
}

const results = []
for (const from of Object.keys(parse)) {
  const { text, tree } = documentOf(from)
  for (const to of Object.keys(parse).filter((to) => to !== from)) {
    const made = parse[to](write(tree, to))
    const sides = {
      ours: () => convert(text, from, to),
      library: () => {
        parse[from](text)
        stringify[to](made)
      },
    }
    if (!('text' in sides.ours())) throw new Error(`${from} to ${to}: ${sides.ours().problem}`)
    for (const side of Object.values(sides)) warmUp(side)
    const times = { ours: [], library: [] }
    for (let i = 0; i < rounds; i++)
      for (const [name, side] of Object.entries(sides)) times[name].push(timed(side))
    results.push({ from, to, characters: text.length, ...times })
  }
}
process.stdout.write(JSON.stringify(results))
