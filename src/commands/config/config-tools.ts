import { z } from 'zod'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import type { AgentProgram } from '../../schema/agent/agent-program.ts'
import { Tool, workspaceTools } from '../../schema/tool/tool.ts'
import type { Problem } from '../../text/errors.ts'
import { findKeyIn, findKeysInWords } from '../../text/hide-keys.ts'
import { secretsOf } from '../../text/redact.ts'
import { toolsText } from './run-options.ts'

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
  return keysOfProgram(tool.config).map(({ field, what }) => ({
    where: where(...field),
    what: `gives its server ${what}; no server of tools gets a key`,
    fix: 'Remove it: the server runs in the sandbox, without a network.',
  }))
}

/** Returns the texts of a program that are keys by their name or their form, each with its field. */
export function keysOfProgram({
  env = {},
  command,
  resume = [],
  home = {},
}: Pick<AgentProgram, 'env' | 'resume' | 'home'> & { command: readonly string[] }): {
  field: readonly (string | number)[]
  what: string
}[] {
  const named = new Set(secretsOf(env).secrets.map(({ name }) => name))
  const keys = [
    ...Object.entries(env).map(([name, value]) => ({
      field: ['env', name],
      what: named.has(name)
        ? `the key ${name}`
        : (findKeyIn(`${name}=${value}`) ?? findKeysInWords([value])[0]),
    })),
    ...Object.entries({ command, resume }).flatMap(([field, words]) =>
      findKeysInWords(words).map((what, i) => ({ field: [field, i], what })),
    ),
    ...Object.entries(home).map(([path, text]) => ({ field: ['home', path], what: findKeyIn(text) })),
  ]
  return keys.flatMap(({ field, what }) => (what === undefined ? [] : [{ field, what }]))
}

/** The words of `--tools` that need no description. */
const toolWords: readonly string[] = [...workspaceTools, 'memory']

/** Names that a tool of the config file cannot have. */
export const reservedNames: readonly string[] = [...toolWords, 'workspace', 'none']

/** Divides a text as `--tools` takes it. */
export const splitTools = (text: string): string[] => text.split(/[,+]/).map((name) => name.trim())

/** Whether a text gives no tools, and takes away those of a method's documents. */
export const takesToolsAway = (text: string | undefined): boolean => text?.trim() === 'none'

const example = 'Write for example read,list,write,check.'

/** Returns the problems of a text that names tools; `own` are the names of tools in the config file. */
export function toolTextProblems(text: string, where: string, own: readonly string[]): Problem[] {
  if (takesToolsAway(text)) return []
  const names = splitTools(text)
  const known = [...toolWords, ...own.filter((name) => !reservedNames.includes(name))]
  return [...new Set(names)].flatMap((name): Problem[] => {
    if (name === '')
      return [{ where, what: 'has an empty name of a tool', fix: `${example} For no tools, write none.` }]
    if (name === 'none')
      return [{ where, what: 'names tools and none', fix: 'Write none alone, or leave it out.' }]
    if (names.indexOf(name) < names.lastIndexOf(name))
      return [{ where, what: `names the tool "${name}" twice`, fix: 'Name each tool once.' }]
    if (known.includes(name)) return []
    const list = own.length > 0 ? 'tools in bench.config.yaml' : 'bench help agent-tools'
    return [unknownName(where, 'tool', name, known, list)]
  })
}
