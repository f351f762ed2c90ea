import type { ResolvedMcpTool } from '../../schema/tool/tool-set.ts'
import type { Problem } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import type { ListedTool } from './protocol/list-tools.ts'
import { toolNameOf } from './tool-names.ts'

type Definition = ResolvedMcpTool['definitions'][number]

/** The longest schema of a tool, as JSON: models read it in each turn. */
const longestSchema = 65_536

/** The longest description of a tool. */
const longestDescription = 16_384

/** Returns the definitions of the allowed tools, in the order in which they are allowed. */
export function allowedTools(
  id: string,
  allow: readonly string[],
  listed: readonly ListedTool[],
  where: string,
): { definitions: Definition[]; problems: Problem[] } {
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
    return [definitionOf(id, tool)]
  })
  return { definitions, problems: [...problems, ...collisions(definitions, where)] }
}

const definitionOf = (id: string, { name, description, inputSchema }: ListedTool): Definition => ({
  name: toolNameOf(id, name),
  description,
  inputSchema: inputSchema as Record<string, unknown>,
  original: name,
})

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
  if ((inputSchema as { type?: unknown }).type !== 'object')
    return 'has a schema of arguments whose type is not object'
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
