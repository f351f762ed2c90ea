import { dirname, resolve } from 'node:path'
import type { BaseOptions, KnownStrategy, ToolsText } from '../../loop/plan/method-options.ts'
import { notAMethod, resolveMethod, shownLabel } from '../../loop/plan/method-spec.ts'
import { isFile, type MethodText, readMethodText, splitMethods } from '../../loop/plan/method-text.ts'
import type { Method } from '../../schema/ledger/trial.ts'
import type { Config } from '../../schema/run/config.ts'
import type { Problem } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'
import type { PartRequest, RunOptions } from '../config/run-options.ts'
import { collectProblems } from '../values/parse-values.ts'
import { builtInStrategies } from './built-in-strategies.ts'
import { baseOptions, configMethodProblems, entryPlace, placeOptions } from './config-methods.ts'
import { type DocumentReads, resolveOptions } from './documents.ts'
import { addMatchBaseline } from './matched-budgets.ts'
import { declarationProblems, namingQuotes, repeatedLabels } from './strategy-problems.ts'

/** The methods of `--methods`, resolved. */
export interface SelectedMethods {
  methods: Method[]
  strategies: KnownStrategy[]
  /** Returns the config entry that a method comes from, by its label; undefined if there is none. */
  entryOf(label: string): string | undefined
  /** Returns the tools that a method has in place of those of `--tools`, by its label; undefined if it names none. */
  toolsOf(label: string): ToolsText | undefined
  /** Returns the texts of the files that a method's documents came from, by path; none of shipped ones. */
  textsOf(label: string): ReadonlyMap<string, string>
}

/**
 * Parses `--methods`, and loads the user's own strategies. Adds all mistakes to `problems`. `isFromFile` says that the config file
 * names the methods.
 */
export async function selectMethods(
  { methods, matchBudget, part }: RunOptions,
  config: ConfigFile | undefined,
  problems: Problem[],
  isFromFile = false,
): Promise<SelectedMethods> {
  const before = problems.length
  const known = builtInStrategies()
  const faultsByEntry = config ? configMethodProblems(config, known) : new Map<string, Problem[]>()
  problems.push(...[...faultsByEntry.values()].flat())
  const text = part ? `${part.name}=${part.strategy}` : methods
  if (text === undefined) {
    problems.push({
      where: '--methods',
      what: 'is missing',
      fix: 'Write for example --methods sequential,baseline, or see bench methods.',
    })
    return {
      methods: [],
      strategies: [],
      entryOf: () => undefined,
      toolsOf: () => undefined,
      textsOf: () => new Map(),
    }
  }
  const used = new Map<string, KnownStrategy>()
  const entries = new Map<string, string>()
  const tools = new Map<string, ToolsText>()
  const texts = new Map<string, ReadonlyMap<string, string>>()
  const selected: Method[] = []
  const labelled: { label: string; item: string }[] = []
  const items = splitMethods(text)
  for (const item of items) {
    const typed = readMethodText(item)
    if (!typed) problems.push(notAMethod(`--methods ${item}`))
    // An entry of the config file is about whole runs.
    const read = typed && readItem(item, typed, part ? undefined : config)
    if (!read) continue
    const found = await findStrategy(read, { config, faultsByEntry, known, used }, problems)
    const sources = { config, faultsByEntry, matchBudget, used, part, isFromFile }
    const made = found && (await makeMethod(read, found, sources, problems))
    if (!made) continue
    const { method } = made
    texts.set(method.label, made.texts)
    if (made.tools) tools.set(method.label, made.tools)
    if (read.entry !== undefined) entries.set(method.label, read.entry)
    selected.push(method)
    labelled.push({ label: method.label, item })
  }
  problems.push(...namingQuotes(problems.splice(before), items, known))
  if (matchBudget !== undefined && problems.length === before && !selected.some(({ match }) => match))
    problems.push({
      where: `--match-budget ${matchBudget}`,
      what: 'needs a method that makes several attempts',
      fix: 'Add self-consistency, best-of or retry, without its number of attempts.',
    })
  const all = addMatchBaseline(selected, known, problems)
  for (const { strategy } of all) {
    const found = known.find((one) => one.strategy.name === strategy)
    if (found && !used.has(strategy)) used.set(strategy, found)
  }
  problems.push(...repeatedLabels(text, labelled))
  if (selected.length === 0 && problems.length === before)
    problems.push({ where: '--methods', what: 'names no method', fix: 'See bench methods.' })
  return {
    ...{ methods: all, strategies: [...used.values()] },
    entryOf: (label) => entries.get(label),
    toolsOf: (label) => tools.get(label),
    textsOf: (label) => texts.get(label) ?? new Map(),
  }
}

interface Item {
  text: string
  /** Its parts, with the strategy of its entry. */
  written: MethodText
  /** Its parts as typed. */
  typed: MethodText
  entry: string | undefined
  settings: NonNullable<Config['methods']>[string] | undefined
}

function readItem(text: string, own: MethodText, config: ConfigFile | undefined): Item | undefined {
  const named = config?.config.methods ?? {}
  const entry = Object.hasOwn(named, own.name) ? own.name : undefined
  const settings = entry === undefined ? undefined : named[entry]
  const item = { text, typed: own, entry, settings }
  if (settings?.strategy === undefined) return { ...item, written: own }
  const strategy = readMethodText(settings.strategy)
  const options = [strategy?.options, own.options].filter(Boolean).join(',')
  return strategy && { ...item, written: { ...own, name: strategy.name, options } }
}

interface Sources {
  config: ConfigFile | undefined
  /** Problems of the config file's entries, which have been reported already. */
  faultsByEntry: ReadonlyMap<string, Problem[]>
  /** Strategies of the methods before this one. */
  used: Map<string, KnownStrategy>
}

/** Returns the strategies that an item may mean: the one of its file, else all built-in ones. */
async function findStrategy(
  { written: { name }, entry, settings }: Item,
  { config, faultsByEntry, known, used }: Sources & { known: KnownStrategy[] },
  problems: Problem[],
): Promise<KnownStrategy[] | undefined> {
  if (!isFile(name)) return known
  if (faultsByEntry.get(entry ?? '')?.length) return undefined
  const where = config && settings?.strategy ? entryPlace(config, entry ?? '') : `--methods ${name}`
  const { strategyFromFile } = await import('./own-strategy.ts')
  const own = await collectProblems(problems, () => strategyFromFile(name, where), undefined)
  if (!own) return undefined
  const clash = [...known, ...used.values()].some(
    ({ strategy, digest }) => strategy.name === own.strategy.name && digest !== own.digest,
  )
  if (!clash) return [own]
  problems.push({
    where,
    what: `another strategy is also named "${own.strategy.name}"`,
    fix: 'Give each strategy its own name.',
  })
  return undefined
}

/** Builds the method of an item, and adds its strategy to `used`. Adds problems and returns undefined if that fails. */
async function makeMethod(
  { text, written, typed, entry, settings }: Item,
  found: KnownStrategy[],
  {
    config,
    faultsByEntry,
    used,
    matchBudget,
    part,
    isFromFile,
  }: Sources & Pick<RunOptions, 'matchBudget' | 'part'> & { isFromFile: boolean },
  problems: Problem[],
): Promise<{ method: Method; tools: ToolsText | undefined; texts: ReadonlyMap<string, string> } | undefined> {
  const own = isFile(written.name) ? found[0] : undefined
  const named = own ? { ...written, name: own.strategy.name } : written
  const where = `--methods ${text}`
  const base = part ? partOptions(part) : baseOptions(config, entry)
  const parsed = resolveMethod(named, where, found, base, matchBudget)
  if ('problems' in parsed) {
    // Mistakes in a config entry have been reported with their line in the file.
    const reported = faultsByEntry.get(entry ?? '') ?? []
    problems.push(...parsed.problems.filter(({ what }) => reported.every((one) => one.what !== what)))
    return undefined
  }
  const strategy = found.find((one) => one.strategy.name === parsed.method.strategy)
  if (!strategy) return undefined
  used.set(strategy.strategy.name, strategy)
  const agents = config?.config.agents
  const { [strategy.strategy.document ?? '']: document } = parsed.method.options
  const documentPath = String(document).replace(/#[^#]*$/, '')
  const reads: DocumentReads = {
    texts: new Map(),
    // A document is asked for by itself, wherever it lies, so the config file may name it as the user may.
    isTyped: (path) =>
      part !== undefined ||
      path === documentPath ||
      (!isFromFile &&
        (isTyped(path, typed) || (strategy.strategy.asksModels !== undefined && text.includes(path)))),
  }
  const read = () =>
    resolveOptions(strategy.strategy, parsed.method.options, own === undefined, agents, reads)
  const options = await collectProblems(
    problems,
    () => placeOptions(read, { base, typed, where, document: strategy.strategy.document }),
    undefined,
  )
  if (own && options) {
    const fix = 'See bench help add-a-strategy.'
    const wrong = declarationProblems(strategy.strategy, options)
    problems.push(...wrong.map((what) => ({ where, what, fix })))
    if (wrong.length > 0) return undefined
  }
  const shown = entry !== undefined && typed.label === undefined
  return (
    options && {
      tools: parsed.tools,
      texts: new Map([...reads.texts].flatMap(([path, text]) => (text === undefined ? [] : [[path, text]]))),
      method: {
        ...parsed.method,
        options,
        ...(shown && { label: shownLabel(entry, typed, strategy.strategy) }),
        ...(settings?.limits && { limits: settings.limits }),
        ...(own && { file: resolve(written.name) }),
      },
    }
  )
}

function isTyped(path: string, { document, options }: MethodText): boolean {
  const values = splitMethods(options).map((pair) => pair.replace(/^[^=]*=/, '').trim())
  return [document ?? '', ...values].some(
    (value) => value === path || value.startsWith(`${path}#`) || value.replace(/\/+$/, '') === dirname(path),
  )
}

const partOptions = ({ command, options }: PartRequest): BaseOptions => ({ options, where: () => command })
