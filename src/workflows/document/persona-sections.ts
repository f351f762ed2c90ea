interface Section {
  /** Its name in messages. */
  name: string
  matches(heading: string): boolean
}

const sections: readonly Section[] = [
  { name: 'Task', matches: (heading) => /^(?:your )?task$/.test(heading) },
  { name: 'Output', matches: (heading) => /^output/.test(heading) },
]

/** Returns the names of the sections that a persona lacks: `Task` and `Output`. */
export function missingSections(text: string): string[] {
  const headings = headingsOf(text)
  return sections.filter(({ matches }) => !headings.some(({ name }) => matches(name))).map(({ name }) => name)
}

/** Returns the names of the sections that have a heading, and below it nothing but further headings and comments. */
export function emptySections(text: string): string[] {
  const headings = headingsOf(text.replace(comments, ''))
  return sections.flatMap(({ name, matches }) => {
    const own = headings.filter((heading) => matches(heading.name))
    return own.length > 0 && own.every((heading) => isEmpty(heading, headings)) ? [name] : []
  })
}

const comments = /<!--.*?-->|\{%-?\s*comment\s*-?%\}.*?\{%-?\s*endcomment\s*-?%\}/gs

interface Heading {
  /** In small letters, without numbers and marks. */
  name: string
  level: number
  /** The text up to the next heading. */
  text: string
}

/** A section ends with the next heading of its level or a higher one, and where the other section begins. */
function isEmpty(heading: Heading, headings: readonly Heading[]): boolean {
  const after = headings.slice(headings.indexOf(heading) + 1)
  const isOther = ({ name }: Heading) =>
    sections.some(({ matches }) => matches(name) && !matches(heading.name))
  const end = after.findIndex((next) => next.level <= heading.level || isOther(next))
  const inside = end < 0 ? after : after.slice(0, end)
  return [heading, ...inside].every(({ text }) => text.trim() === '')
}

/** Returns the headings of Markdown. A line of a code block is none. */
function headingsOf(text: string): Heading[] {
  const headings: Heading[] = []
  let fence: string | undefined
  let before = ''
  for (const line of text.split(/\r\n|[\r\n]/)) {
    const last = headings.at(-1)
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    const [, marks, heading] = /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line) ?? []
    const [, underline] = /^ {0,3}(=|-)\1*[ \t]*$/.exec(line) ?? []
    if (mark !== undefined && (fence === undefined || (mark.startsWith(fence) && /^[\s`~]*$/.test(line))))
      fence = fence === undefined ? mark : undefined
    else if (fence === undefined && marks !== undefined && heading !== undefined)
      headings.push({ name: bare(heading), level: marks.length, text: '' })
    else if (fence === undefined && underline !== undefined && before.trim() !== '') {
      // The line before was the heading.
      if (last) last.text = last.text.slice(0, -before.length - 1)
      headings.push({ name: bare(before), level: underline === '=' ? 1 : 2, text: '' })
    } else if (last) last.text += `${line}\n`
    before = line
  }
  return headings
}

const bare = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[*_#:`]/g, ' ')
    .replace(/^\s*(?:\d+[.)])?\s*/, '')
    .replace(/\s+/g, ' ')
    .trim()
