import type { KindOfWork } from '../../ask.ts'
import type { ToolsText } from '../../loop/plan/method-options.ts'
import { rolesOf } from '../../loop/plan/row-agents.ts'
import { capitalised } from '../../reports/words/numbers.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import { type Tool, type WorkspaceToolName, workspaceTools } from '../../schema/tool/tool.ts'
import { defaultToolTurns } from '../../schema/tool/tool-set.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'
import {
  configToolProblems,
  reservedNames,
  secretProblems,
  splitTools,
  takesToolsAway,
  toolTextProblems,
} from '../config/config-tools.ts'
import type { MergedOptions } from '../config/merge-options.ts'
import { readWhole } from '../config/run-options.ts'
import type { SelectedMethods } from '../methods/select-methods.ts'

/** The tools of one method: those that it is given, and those of its documents. None is known where `none` takes those away. */
interface ChosenTools {
  given: readonly string[]
  known: ReadonlyMap<string, NamedTool>
}

/** The tools of a run's methods, by label; a method without tools is absent. */
export interface SelectedTools {
  byMethod: ReadonlyMap<string, ChosenTools>
  turns: number
  /** Says which tools reach no role of their method. */
  notes: readonly string[]
}

/**
 * Reads which tools each method has: its own `tools`, else those of `--tools`, and those of its documents unless `none` takes them
 * away. Adds every mistake.
 */
export function selectTools(
  { options, config, isFromFile }: MergedOptions,
  { methods, strategies, toolsOf }: SelectedMethods,
  problems: Problem[],
): SelectedTools {
  if (config) problems.push(...configToolProblems(config.config, config.where))
  const before = problems.length
  const turns = readWhole(problems, options, 'toolTurns', defaultToolTurns)
  const { tools } = options
  // The texts of the config file have been checked.
  const read = (given: ToolsText) =>
    namedTools(given, config, config && given.where.startsWith(`${config.file}:`) ? [] : problems)
  const place = config && isFromFile('tools') ? config.where('run', 'tools') : `--tools ${tools}`
  const forAll = tools === undefined ? undefined : { text: tools, where: place }
  const general = forAll ? read(forAll) : []
  const byMethod = new Map<string, ChosenTools>()
  const notes: string[] = []
  for (const method of methods) {
    const own = toolsOf(method.label)
    const named = own ? read(own) : general
    const { strategy } = strategies.find((one) => one.strategy.name === method.strategy) ?? {}
    const why =
      strategy && whyUnreached(method.label, named.flatMap(wordsOf), rolesOf(strategy, method.options))
    if (why !== undefined) notes.push(why)
    // A run does not hold what no role can call.
    const given = why === undefined ? named : []
    const documented = documentTools(method, strategy?.toolsOf?.(method.options) ?? {})
    const isTaken = takesToolsAway((own ?? forAll)?.text) && documented.length > 0
    // Its options are in run.json, also where its tools are taken away.
    problems.push(...documented.flatMap(documentSecrets))
    if (!isTaken) problems.push(...clashes(method.label, given, documented))
    const known = new Map((isTaken ? [] : [...documented, ...given]).map((one) => [one.id, one]))
    if (known.size > 0 || isTaken) byMethod.set(method.label, { given: given.map(({ id }) => id), known })
  }
  const hasTools = notes.length > 0 || [...byMethod.values()].some(({ known }) => known.size > 0)
  const isTyped = options.toolTurns !== undefined && !isFromFile('toolTurns')
  if (isTyped && !hasTools && methods.length > 0 && problems.length === before)
    problems.push(uselessTurns(options.toolTurns))
  return { byMethod, turns, notes }
}

const uselessTurns = (turns: string | undefined): Problem => ({
  where: `--tool-turns ${turns}`,
  what: 'has no effect, because no method has tools',
  fix: 'Add --tools, for example --tools read,list,write,check, or leave it out.',
})

function documentTools({ label }: Method, tools: Readonly<Record<string, NamedTool['tool']>>): NamedTool[] {
  const where = (id: string) => `--methods ${label}, document tools.${id}.config`
  return Object.entries(tools).map(([id, tool]) => ({ id, tool, where: where(id) }))
}

const documentSecrets = ({ tool, where }: NamedTool) =>
  secretProblems(tool, (...field) => [where, ...field].join('.'))

/** Returns the problems of tools that cannot be used together. */
function clashes(label: string, given: readonly NamedTool[], documented: readonly NamedTool[]): Problem[] {
  const problems: Problem[] = []
  for (const { id, tool, where } of documented) {
    const other = given.find((one) => one.id === id)
    if (other && !isSame(other.tool, tool))
      problems.push({
        where,
        what: `has the id "${id}", as has another tool that the method is given (${other.where})`,
        fix: `Give the tool of the document another id, or ${notGiven(label, id)}`,
      })
  }
  return [...problems, ...memoryProblems(label, given, documented)]
}

const notGiven = (label: string, id: string) =>
  `do not give ${id} to ${label}: give it to other methods by their own option, as in baseline[tools=${id}].`

/** Returns the problems of a method with several memories: its agents would store in one and recall from another. */
function memoryProblems(
  label: string,
  given: readonly NamedTool[],
  documented: readonly NamedTool[],
): Problem[] {
  const [first, ...others] = given.filter(isMemory)
  if (!first) return []
  const second = others.map(({ id, where }) => ({
    where,
    what: `is a second memory of the same agents, beside ${first.id} (${id})`,
    fix: 'Name one of them.',
  }))
  const without = given.filter((one) => !isMemory(one)).flatMap(wordsOf)
  // `none` would take the memory of the document away, too.
  const fix =
    without.length > 0 ? `give ${label} the option tools=${without.join('+')}.` : notGiven(label, first.id)
  const split = documented
    .filter((one) => isMemory(one) && given.every(({ id }) => id !== one.id))
    .map(({ id, tool, where }) => ({
      where,
      what: `is the memory "${id}" beside the memory "${first.id}" that the method is given (${first.where}), so notes would be kept in two places`,
      fix: isSame(tool, first.tool)
        ? `Rename ${id} to ${first.id} in the document, or ${fix}`
        : capitalised(fix),
    }))
  return [...second, ...split]
}

const isMemory = ({ tool }: NamedTool) => tool.kind === 'memory'

const wordsOf = ({ id, tool }: NamedTool): readonly string[] =>
  tool.kind === 'workspace' ? tool.config.allow : [id]

/** Whether two descriptions mean the same tool. Texts for readers do not count. */
function isSame(a: NamedTool['tool'], b: NamedTool['tool']): boolean {
  const content = ({ kind, config }: NamedTool['tool']) => canonicalJson({ kind, config })
  return content(a) === content(b)
}

function whyUnreached(
  label: string,
  names: readonly string[],
  roles: Readonly<Record<string, KindOfWork>>,
): string | undefined {
  const works = Object.entries(roles)
  if (names.length === 0 || works.some(([, work]) => work === 'produce')) return undefined
  const kinds = works.map(([role, work]) => `${role} is of kind ${work}`).join(', ')
  return `${label}: the tools that it is given (${names.join(', ')}) change nothing: only roles of kind produce get them, and ${kinds}`
}

/** A tool of a run as its owner describes it, before its files are read and its server has been asked. */
export interface NamedTool {
  id: string
  tool: Tool
  /** Where it is described, for messages. */
  where: string
}

/**
 * Returns the tools that a text names, in an order that does not depend on the text: `workspace`, `memory`, then tools of the
 * config file by name. None for `none`. Adds all mistakes to `problems`.
 */
function namedTools(
  { text, where }: ToolsText,
  config: ConfigFile | undefined,
  problems: Problem[],
): NamedTool[] {
  const own = config?.config.tools ?? {}
  problems.push(...toolTextProblems(text, where, Object.keys(own)))
  const given = new Set(splitTools(text))
  const allow = workspaceTools.filter((word) => given.has(word))
  return [
    ...(allow.length > 0 ? [workspaceTool(allow, where)] : []),
    ...(given.has('memory') ? [{ id: 'memory', tool: memory, where }] : []),
    ...[...given].sort().flatMap((id) => {
      const tool = Object.hasOwn(own, id) && !reservedNames.includes(id) ? own[id] : undefined
      return tool && config ? [{ id, tool, where: config.where('tools', id, 'config') }] : []
    }),
  ]
}

const memory: Tool = { kind: 'memory', config: {} }

const workspaceTool = (allow: WorkspaceToolName[], where: string): NamedTool => ({
  id: 'workspace',
  tool: { kind: 'workspace', config: { allow } },
  where,
})
