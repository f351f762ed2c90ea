import { resolve } from 'node:path'
import type { Problem } from '../errors.ts'
import { type KnownStrategy, parseMethod, splitMethods } from '../loop/methods.ts'
import type { Method } from '../schema/trial.ts'
import { builtInStrategies, isFile, strategyFromFile } from './sources.ts'

/** Reads what stands after `--methods`, strategies of the user's own included; adds all that is wrong to `problems`. */
export async function chosenMethods(
  text: string | undefined,
  problems: Problem[],
  attempt: <T>(read: () => T | Promise<T>, fallback: T) => Promise<T>,
): Promise<{ methods: Method[]; strategies: KnownStrategy[] }> {
  const before = problems.length
  if (text === undefined) {
    problems.push({
      where: '--methods',
      what: 'is missing',
      fix: 'Write for example --methods sequential,baseline, or see bench methods.',
    })
    return { methods: [], strategies: [] }
  }
  const known = builtInStrategies()
  const methods: Method[] = []
  const used = new Map<string, KnownStrategy>()
  for (const item of splitMethods(text)) {
    const name = item.replace(/^[\w.-]+=/, '').replace(/\[.*\]$/s, '')
    const own = isFile(name) ? await attempt(() => strategyFromFile(name), undefined) : undefined
    if (isFile(name) && !own) continue
    if (own) {
      const clash = [...known, ...used.values()].find(
        ({ strategy, digest }) => strategy.name === own.strategy.name && digest !== own.digest,
      )
      if (clash) {
        problems.push({
          where: `--methods ${name}`,
          what: `its strategy is named "${own.strategy.name}" like another one`,
          fix: 'Give it a name of its own.',
        })
        continue
      }
    }
    const written = own ? item.replace(name, own.strategy.name) : item
    const parsed = parseMethod(written, own ? [own] : known)
    if ('problems' in parsed) {
      problems.push(...parsed.problems)
      continue
    }
    const strategy = own ?? known.find((one) => one.strategy.name === parsed.method.strategy)
    if (strategy) used.set(strategy.strategy.name, strategy)
    methods.push(own ? { ...parsed.method, file: resolve(name) } : parsed.method)
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
  return { methods, strategies: [...used.values()] }
}
