import { type Problem, UserError } from '../../text/errors.ts'
import { type Add, asMap, asText, type Path, type RawMap, suggestName } from '../../yaml/raw.ts'
import { checkTemplates } from './check-templates.ts'
import { meantName, orchestratorRole, type Site } from './list-states.ts'
import { emptySections, missingSections, namedPersonas, type PersonaUse, personaUses } from './personas.ts'
import type { LineOf, Surroundings } from './read-document.ts'

/** What a check may look at besides the machine. */
export interface Beside extends Surroundings {
  lineOf: LineOf
  /** Returns the path of a file as messages show it. */
  fileOf(path: string): string
}

/** Reports personas that are not known, that cannot be read, and whose text has mistakes. Returns the latter with places of their own. */
export function checkPersonas(machine: RawMap, sites: readonly Site[], beside: Beside, add: Add): Problem[] {
  const personas = asMap(machine.personas)
  const uses = personaUses(machine, sites)
  for (const { name, path } of namedPersonas(machine, sites)) checkReference(personas, name, path, add)
  checkMissing(machine, sites, add)
  checkUnused(machine, sites, add)
  return Object.entries(personas ?? {}).flatMap(([name, file]) => {
    if (typeof file !== 'string' || file === '') return []
    const path = ['personas', name]
    if (/^(?:[/\\]|[A-Za-z]:)/.test(file)) {
      add(path, 'must be a path relative to this file', 'Write for example personas/writer.md.')
      return []
    }
    return checkPersona(name, file, uses, sites, beside, (what, fix) => add(path, what, fix))
  })
}

function checkReference(personas: RawMap | undefined, name: unknown, path: Path, add: Add): void {
  const word = asText(name)
  if (word === undefined || !personas || Object.hasOwn(personas, word)) return
  const isPath = /[/\\]|\.\w+$/.test(word)
  const same = Object.keys(personas).find((one) => personas[one] === word)
  if (isPath && same) add(path, `"${word}" is a path, not the name of a persona`, `Write ${same}.`)
  else if (isPath)
    add(
      path,
      `"${word}" is a path, not the name of a persona`,
      `Write \`NAME: ${word}\` under personas, and the name here.`,
    )
  else
    add(
      path,
      `there is no persona "${word}"`,
      suggestName(word, Object.keys(personas), 'Define it under personas.'),
    )
}

/** Reports agents that would be asked without any persona. */
function checkMissing(machine: RawMap, sites: readonly Site[], add: Add): void {
  const agents = asMap(machine.agents) ?? {}
  for (const site of sites) {
    if (!site.isAsking || site.node.persona !== undefined) continue
    const bare = site.agents.filter((agent) => {
      const node = Object.hasOwn(agents, agent) ? asMap(agents[agent]) : undefined
      return agent !== orchestratorRole && node !== undefined && node.persona === undefined
    })
    if (bare.length > 0)
      add(
        site.path,
        `has no persona, and ${bare.length === 1 ? 'its agent' : 'its agents'} ${bare.join(', ')} ${bare.length === 1 ? 'has' : 'have'} no persona`,
        'Write persona: with a name of personas.',
      )
  }
}

/** Reports personas that nothing names. What is misspelt, or named by its path, names the persona that it means. */
function checkUnused(machine: RawMap, sites: readonly Site[], add: Add): void {
  const personas = asMap(machine.personas) ?? {}
  const names = Object.keys(personas)
  const used = new Set(
    namedPersonas(machine, sites).flatMap(({ name }) => {
      const word = asText(name) ?? ''
      return [meantName(word, names), ...names.filter((one) => personas[one] === word)]
    }),
  )
  const isClear = sites.length > 0 && sites.every(({ type }) => type !== undefined)
  for (const name of names)
    if (isClear && !used.has(name))
      add(
        ['personas', name],
        'no state or agent uses this persona',
        'Remove it, or name it in a state or an agent.',
      )
}

function checkPersona(
  name: string,
  file: string,
  uses: readonly PersonaUse[],
  sites: readonly Site[],
  { read, fileOf, lineOf }: Beside,
  add: (what: string, fix?: string) => void,
): Problem[] {
  const shown = fileOf(file)
  let text: string | undefined
  try {
    text = read(file)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    for (const { what, fix } of error.problems) add(`${file} ${what}`, fix)
    return []
  }
  if (text === undefined) {
    add(`there is no file ${file}`, 'Paths are relative to this file.')
    return []
  }
  if (text.trim() === '')
    return [{ where: shown, what: 'is empty', fix: 'Write the sections Task and Output.' }]
  const lacking = missingSections(text).map((section) => ({
    where: shown,
    what: `has no section "${section}"`,
    fix: `Add the heading \`# ${section}\`.`,
  }))
  const empty = emptySections(text).map((section) => ({
    where: shown,
    what: `has nothing in the section "${section}"`,
    fix: 'Write it below its heading.',
  }))
  const own = uses.filter((use) => use.name === name)
  return [...lacking, ...empty, ...checkTemplates(text, shown, own, sites, lineOf)]
}
