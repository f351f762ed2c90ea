import { resolve } from 'node:path'
import type { Problem } from '../errors.ts'
import { type KnownStrategy, parseMethod, splitMethods } from '../loop/methods.ts'
import type { Method } from '../schema/trial.ts'
import type { ConfigFile } from './config-file.ts'
import { baseOf, configMethodProblems } from './config-methods.ts'
import { resolved } from './documents.ts'
import { withBaseline } from './matched-budgets.ts'
import { isFile, strategyFromFile } from './own-strategy.ts'
import type { RunOptions } from './run-options.ts'
import { builtInStrategies } from './sources.ts'

/** What stands after `--methods`, resolved. */
export interface ChosenMethods {
  methods: Method[]
  strategies: KnownStrategy[]
  /** The file's entry that a method is made by, by its label; undefined where there is none. */
  entryOf(label: string): string | undefined
}

/** Reads what stands after `--methods`, strategies of the user's own included; adds all that is wrong to `problems`. */
export async function chosenMethods(
  { methods: text, matchBudget }: RunOptions,
  config: ConfigFile | undefined,
  problems: Problem[],
  attempt: <T>(read: () => T | Promise<T>, fallback: T) => Promise<T>,
): Promise<ChosenMethods> {
  const before = problems.length
  const known = builtInStrategies()
  const faulty = config ? configMethodProblems(config, known) : new Map<string, Problem[]>()
  problems.push(...[...faulty.values()].flat())
  if (text === undefined) {
    problems.push({
      where: '--methods',
      what: 'is missing',
      fix: 'Write for example --methods sequential,baseline, or see bench methods.',
    })
    return { methods: [], strategies: [], entryOf: () => undefined }
  }
  const methods: Method[] = []
  const used = new Map<string, KnownStrategy>()
  const entries = new Map<string, string>()
  for (const item of splitMethods(text)) {
    const [, label, said = '', rest = ''] = /^(?:([\w.-]+)=)?([^[]*)(.*)$/s.exec(item) ?? []
    const entry = config && Object.hasOwn(config.config.methods ?? {}, said) ? said : undefined
    const made = entry === undefined ? undefined : config?.config.methods?.[entry]
    const name = made?.strategy ?? said
    const told = faulty.get(entry ?? '') ?? []
    if (isFile(name) && told.length > 0) continue
    const where = config && made?.strategy ? config.where('methods', said, 'strategy') : `--methods ${name}`
    const own = isFile(name) ? await attempt(() => strategyFromFile(name, where), undefined) : undefined
    if (isFile(name) && !own) continue
    if (own) {
      const clash = [...known, ...used.values()].find(
        ({ strategy, digest }) => strategy.name === own.strategy.name && digest !== own.digest,
      )
      if (clash) {
        problems.push({
          where,
          what: `its strategy is named "${own.strategy.name}" like another one`,
          fix: 'Give it a name of its own.',
        })
        continue
      }
    }
    const written = `${label === undefined ? '' : `${label}=`}${own ? own.strategy.name : name}${rest}`
    const parsed = parseMethod(written, own ? [own] : known, baseOf(config, entry), matchBudget)
    if ('problems' in parsed) {
      // What was typed is the entry's name, and what is wrong with the entry itself is told with its line.
      const typed = parsed.problems.filter(({ what }) => told.every((one) => one.what !== what))
      const isWritten = (problem: Problem) => problem.where === `--methods ${written}` && entry !== undefined
      problems.push(...typed.map((one) => (isWritten(one) ? { ...one, where: `--methods ${item}` } : one)))
      continue
    }
    const strategy = own ?? known.find((one) => one.strategy.name === parsed.method.strategy)
    if (!strategy) continue
    used.set(strategy.strategy.name, strategy)
    const options = await attempt(
      () => resolved(strategy.strategy, parsed.method.options, own === undefined),
      undefined,
    )
    if (!options) continue
    const method = {
      ...parsed.method,
      options,
      ...(entry !== undefined && label === undefined && { label: `${entry}${rest.replace(/\s+/g, '')}` }),
      ...(made?.limits && { limits: made.limits }),
      ...(own && { file: resolve(name) }),
    }
    if (entry !== undefined) entries.set(method.label, entry)
    methods.push(method)
  }
  if (
    matchBudget !== undefined &&
    problems.length === before &&
    methods.every(({ match }) => match === undefined)
  )
    problems.push({
      where: `--match-budget ${matchBudget}`,
      what: 'finds no method that makes a number of attempts',
      fix: 'Add one, without that number: self-consistency, best-of or retry.',
    })
  const all = withBaseline(methods, known, problems)
  for (const { strategy } of all) {
    const found = known.find((one) => one.strategy.name === strategy)
    if (found && !used.has(strategy)) used.set(strategy, found)
  }
  const labels = methods.map(({ label }) => label)
  for (const label of new Set(labels.filter((label, i) => labels.indexOf(label) !== i)))
    problems.push({
      where: `--methods ${text}`,
      what: `the label "${label}" stands twice`,
      fix: `Give each a label of its own: ${methods
        .filter((method) => method.label === label)
        .map(({ strategy }, i) => `${String.fromCharCode(65 + i)}=${strategy}`)
        .join(',')}.`,
    })
  if (methods.length === 0 && problems.length === before)
    problems.push({ where: '--methods', what: 'names no method', fix: 'See bench methods.' })
  return { methods: all, strategies: [...used.values()], entryOf: (label) => entries.get(label) }
}
