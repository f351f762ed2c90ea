import { z } from 'zod'
import { Tool } from '../../schema/tool/tool.ts'
import type { Problem } from '../../text/errors.ts'
import { findKeyText } from '../../text/key-text.ts'
import { secretsOf } from '../../text/redact.ts'
import { toolsText } from './run-options.ts'
import { reservedNames, toolTextProblems } from './tool-words.ts'

type Where = (...path: PropertyKey[]) => string

const Fields = z.record(z.string(), z.unknown()).catch({})
const Texts = z.union([z.string(), z.array(z.string())])

/**
 * Returns the problems of all tools in a config file that its schema cannot see, also of those that the run does not use. The file
 * may have other mistakes: what is no tool at all is left to its schema.
 */
export function configToolProblems(config: unknown, where: Where): Problem[] {
  const { tools, methods, run } = Fields.parse(config)
  const own = Object.entries(Fields.parse(tools))
  const names = own.map(([name]) => name)
  const uses = [
    { path: ['run', 'tools'], tools: Fields.parse(run).tools },
    ...Object.entries(Fields.parse(methods)).map(([entry, method]) => ({
      path: ['methods', entry, 'tools'],
      tools: Fields.parse(method).tools,
    })),
  ]
  return [
    ...own.flatMap(([name, tool]) => toolEntryProblems(name, tool, where)),
    ...uses.flatMap(({ path, tools }) => {
      const { data } = Texts.safeParse(tools)
      return data === undefined ? [] : toolTextProblems(toolsText(data), where(...path), names)
    }),
  ]
}

/** Returns those of one tool. */
export function toolEntryProblems(name: string, given: unknown, where: Where): Problem[] {
  const problems: Problem[] = []
  const { id } = Fields.parse(given)
  if (reservedNames.includes(name))
    problems.push({
      where: where('tools', name),
      what: `"${name}" is a word of --tools`,
      fix: 'Choose another name for the tool.',
    })
  if (typeof id === 'string' && id !== name)
    problems.push({
      where: where('tools', name, 'id'),
      what: `must equal the name of the entry, ${name}`,
      fix: 'Leave id out.',
    })
  const { data: tool } = Tool.safeParse(given)
  if (tool) problems.push(...secretProblems(tool, (...field) => where('tools', name, 'config', ...field)))
  return problems
}

/** Returns a problem for each text of a server that is a key by its name or its form: all of them would be in `run.json`. */
export function secretProblems(tool: Tool, where: Where): Problem[] {
  if (tool.kind !== 'mcp') return []
  const { env, command } = tool.config
  const named = new Set(secretsOf(env).secrets.map(({ name }) => name))
  const keys = [
    ...Object.entries(env).map(([name, value]) => ({
      field: ['env', name],
      what: named.has(name) ? `the key ${name}` : findKeyIn(`${name}=${value}`),
    })),
    ...command.map((word, i) => ({ field: ['command', i], what: findKeyIn(word) })),
  ]
  return keys.flatMap(({ field, what }) =>
    what === undefined
      ? []
      : [
          {
            where: where(...field),
            what: `gives its server ${what}; no server of tools gets a key`,
            fix: 'Remove it: the server runs in the sandbox, without a network.',
          },
        ],
  )
}

function findKeyIn(text: string): string | undefined {
  // As in a file of settings.
  const found = findKeyText(text, '.env')
  return found && `what looks like ${found}`
}
