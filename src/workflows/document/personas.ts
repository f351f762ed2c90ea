import { closes, type FenceLine, readFenceLine } from '../../replies/scan-fences.ts'
import { asMap, type Path, type RawMap } from '../../yaml/raw.ts'
import { orchestratorRole, type Site } from './list-states.ts'

interface NamedPersona {
  name: unknown
  path: Path
}

/** Where a persona is used: as the prompt of a state, or, without one, as a system prompt. */
export interface PersonaUse extends NamedPersona {
  site?: Site
}

export function namedPersonas(machine: RawMap, sites: readonly Site[]): NamedPersona[] {
  return [...ownPersonas(machine), ...sites.map(ofState)].filter(
    ({ name }) => typeof name === 'string' && name !== '',
  )
}

interface OwnPersona extends NamedPersona {
  role: string
}

const ownPersonas = (machine: RawMap): OwnPersona[] => [
  { role: orchestratorRole, name: asMap(machine.orchestrator)?.persona, path: ['orchestrator', 'persona'] },
  ...Object.entries(asMap(machine.agents) ?? {}).map(([role, value]) => ({
    role,
    name: asMap(value)?.persona,
    path: ['agents', role, 'persona'],
  })),
]

const ofState = ({ node, path }: Site): NamedPersona => ({ name: node.persona, path: [...path, 'persona'] })

/**
 * Returns how a machine uses its personas. An agent's own is the prompt of each state that names none, else its system prompt; the
 * orchestrator's own is a system prompt when it decides, too.
 */
export function personaUses(machine: RawMap, sites: readonly Site[]): PersonaUse[] {
  const byStates = sites.map((site) => ({ ...ofState(site), site }))
  const own = ownPersonas(machine).flatMap(({ role, ...named }): PersonaUse[] => {
    const asked = sites.filter(({ isAsking, agents }) => isAsking && agents.includes(role))
    const prompts = asked.filter(({ node }) => node.persona === undefined)
    const isSystem = role === orchestratorRole || prompts.length < asked.length
    return [...prompts.map((site) => ({ ...named, site })), ...(isSystem ? [named] : [])]
  })
  return [...own, ...byStates].filter(({ name }) => typeof name === 'string' && name !== '')
}

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
  let open: FenceLine | undefined
  let before = ''
  for (const line of text.split(/\r\n|[\r\n]/)) {
    const last = headings.at(-1)
    const fence = readFenceLine(line)
    const [, marks, heading] = /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line) ?? []
    const [, underline] = /^ {0,3}(=|-)\1*[ \t]*$/.exec(line) ?? []
    if (fence && (open === undefined || closes(fence, open))) open = open === undefined ? fence : undefined
    else if (open === undefined && marks !== undefined && heading !== undefined)
      headings.push({ name: bare(heading), level: marks.length, text: '' })
    else if (open === undefined && underline !== undefined && before.trim() !== '') {
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
