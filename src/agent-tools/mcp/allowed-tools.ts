import type { ResolvedMcpTool } from '../../schema/tool/tool-set.ts'
import { canonicalJson, sha256 } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import { shorten } from '../../text/shorten.ts'
import { usableSchema } from '../arguments.ts'
import { modelDefinition, refusedArguments } from './model-definition.ts'
import type { ListedTool } from './session.ts'

type Definition = ResolvedMcpTool['definitions'][number]

/** The longest schema of a tool, as JSON: models read it in each turn. */
const longestSchema = 65_536

/** Keywords by which a schema without a type describes an object. */
const describing = ['properties', 'anyOf', 'oneOf', 'allOf', '$ref']

const longestDescription = 16_384

/** Returns the definitions of the allowed tools, in the order in which they are allowed. */
export function allowedTools(
  id: string,
  allow: readonly string[],
  listed: readonly ListedTool[],
  where: string,
): { definitions: Definition[]; notes: string[]; problems: Problem[] } {
  const problems: Problem[] = []
  const names = [...new Set(listed.map(({ name }) => name))]
  const definitions = [...new Set(allow)].flatMap((original) => {
    const same = listed.filter(({ name }) => name === original)
    const [tool] = same
    if (!tool) {
      problems.push({ where: `${where}.allow`, ...unknownTool(original, names) })
      return []
    }
    const what = same.length > 1 ? 'is listed more than once, with other words' : definitionProblem(tool)
    if (what !== undefined)
      problems.push({
        where: `${where}.allow`,
        what: `the tool ${JSON.stringify(original)} ${what}`,
        fix: 'Correct the server, or take the name out of `allow`.',
      })
    return what === undefined ? [definitionOf(id, tool)] : []
  })
  problems.push(...definitions.flatMap((one) => refusedNames(one, where)), ...collisions(definitions, where))
  return { definitions, notes: definitions.flatMap(uncheckedNote), problems }
}

function definitionOf(id: string, { name, description, inputSchema }: ListedTool): Definition {
  const given = { description, inputSchema: inputSchema as Record<string, unknown> }
  const seen = modelDefinition(given)
  const isSame = canonicalJson(seen) === canonicalJson(given)
  return { name: toolNameOf(id, name), ...seen, original: name, ...(!isSame && { given }) }
}

/** Returns a note if a part of the schema cannot be checked: then the server alone finds out. */
function uncheckedNote({ name, given, inputSchema }: Definition): string[] {
  const { leftOut } = usableSchema(given?.inputSchema ?? inputSchema)
  if (leftOut.length === 0) return []
  const more = leftOut.length > mostNamed ? ` and ${leftOut.length - mostNamed} more` : ''
  const parts = `${leftOut.slice(0, mostNamed).join(', ')}${more}`
  return [
    shorten(
      `tool ${name}: bench cannot use these parts of its schema and does not check arguments by them: ${parts}; the server gets such arguments as they are`,
      600,
    ),
  ]
}

const mostNamed = 5

function refusedNames({ original, inputSchema }: Definition, where: string): Problem[] {
  const names = refusedArguments(inputSchema)
  if (names.length === 0) return []
  const list = shorten(names.map((name) => JSON.stringify(name)).join(', '), 300)
  return [
    {
      where: `${where}.allow`,
      what: `the tool ${JSON.stringify(original)} has arguments whose names vendors refuse, and with them each whole request: ${list}`,
      fix: 'Rename them in the server to at most 64 letters, digits, `_`, `.` and `-`, or take the tool out of `allow`.',
    },
  ]
}

function unknownTool(name: string, known: readonly string[]): Omit<Problem, 'where'> {
  const has = known.length === 0 ? 'It has none.' : `It has ${known.join(', ')}.`
  const near = didYouMean(name, known, '"')
  return {
    what: `the server has no tool ${JSON.stringify(name)}`,
    fix: near === undefined ? has : `${near} ${has}`,
  }
}

function definitionProblem({ inputSchema, description }: ListedTool): string | undefined {
  if (typeof inputSchema !== 'object' || inputSchema === null || Array.isArray(inputSchema))
    return 'has no schema of its arguments'
  const { type, ...others } = inputSchema as Record<string, unknown>
  const isObject = type === undefined && describing.some((name) => name in others)
  if (type !== 'object' && !isObject) return 'has a schema of arguments whose type is not object'
  const { length } = JSON.stringify(inputSchema)
  if (length > longestSchema)
    return `has a schema of ${length} characters; at most ${longestSchema} are taken`
  if (description.length > longestDescription)
    return `has a description of ${description.length} characters; at most ${longestDescription} are taken`
  return undefined
}

function collisions(definitions: readonly Definition[], where: string): Problem[] {
  const names = [...new Set(definitions.map(({ name }) => name))]
  return names.flatMap((name) => {
    const same = definitions
      .filter((one) => one.name === name)
      .map(({ original }) => JSON.stringify(original))
    const what = `the tools ${same.join(' and ')} have one name for models: ${name}`
    return same.length < 2 ? [] : [{ where: `${where}.allow`, what, fix: 'Allow one of them.' }]
  })
}

const longestName = 64

/**
 * Returns the name by which models call a server's tool: `ID__NAME`. Characters that vendors refuse become `_`; the end of a name that
 * is too long becomes a part of its hash.
 */
export function toolNameOf(id: string, original: string): string {
  const name = `${id}__${original}`.replace(/[^a-zA-Z0-9_-]/gu, '_')
  if (name.length <= longestName) return name
  const hash = sha256(original).slice(0, 8)
  return `${name.slice(0, longestName - hash.length - 1)}_${hash}`
}
