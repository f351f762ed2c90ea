/** A heading that a persona must have. */
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
  return sections.filter(({ matches }) => !headings.some(matches)).map(({ name }) => name)
}

/** Returns the headings of Markdown in small letters, without numbers and marks. A line of a code block is none. */
function headingsOf(text: string): string[] {
  const headings: string[] = []
  let fence: string | undefined
  let before = ''
  for (const line of text.split(/\r\n|[\r\n]/)) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? []
    if (mark !== undefined && (fence === undefined || (mark.startsWith(fence) && /^[\s`~]*$/.test(line))))
      fence = fence === undefined ? mark : undefined
    else if (fence === undefined) {
      const [, heading] = /^ {0,3}#{1,6}[ \t]+(.*)$/.exec(line) ?? []
      if (heading !== undefined) headings.push(bare(heading))
      else if (/^ {0,3}(?:=+|-+)[ \t]*$/.test(line) && before.trim() !== '') headings.push(bare(before))
    }
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
